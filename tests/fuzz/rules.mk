# rules.mk - fuzzing of the front end under sanitizers: libFuzzer where FUZZ_CC has it, else a mutator of its own.

FUZZ_SECONDS ?= 10
FUZZ_CC      ?= $(shell command -v clang || command -v clang-14 || echo $(CC))
FUZZ_SEEDS    = $(abspath $(wildcard examples/*.place prelude/*.place tests/ui/*/*.place))
FUZZ_SOURCES := $(wildcard base/*.c lexer/*.c parser/*.c fmt/*.c)
FUZZ_FLAGS   := -std=c11 -D_GNU_SOURCE -g -O1 -I. -I$(B)/gen -fsanitize=address,undefined
FUZZ_HAS_LIB  = $(shell echo 'int LLVMFuzzerTestOneInput(const char *d, long n){return d == 0 && n;}' | \
                  $(FUZZ_CC) -x c -fsanitize=fuzzer - -o /dev/null 2>/dev/null && echo yes)

$(B)/fuzz/fuzz_parse: tests/fuzz/fuzz_parse.c $(FUZZ_SOURCES) $(GEN)
	@mkdir -p $(@D)
	$(Q)$(FUZZ_CC) $(FUZZ_FLAGS) $(if $(FUZZ_HAS_LIB),-DLIBFUZZER -fsanitize=fuzzer) -o $@ $< $(FUZZ_SOURCES) \
	    $(B)/gen/place_lexer.c $(B)/gen/place_parser.c -lcjson -lm
	@echo $(if $(FUZZ_HAS_LIB),libfuzzer,own) > $(@D)/kind

test-fuzz: $(B)/fuzz/fuzz_parse ## Fuzz the parser for FUZZ_SECONDS (10)
	@sh tests/fuzz/run.sh $(B)/fuzz $(FUZZ_SECONDS) $(FUZZ_SEEDS)

.PHONY: test-fuzz
