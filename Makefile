# Place: a compiler for distributed-training strategies. `make help` lists the targets.

-include config.mk

B           ?= build/debug
PREFIX      ?= /usr/local
DESTDIR     ?=
CC          ?= cc
MPICC       ?= mpicc
LLVM_CONFIG ?= llvm-config-19
CFLAGS      ?= -O2 -g1
V           ?= 0
Q           := $(if $(filter 1,$(V)),,@)
MAKEFLAGS   += --no-builtin-rules

# Lines and functions are enough for backtraces and profiles, and take a fifth less time to compile; for a debugger there
# is make CFLAGS="-Og -g". Required flags are not in CFLAGS, so that the user's CFLAGS are added to them.
WARNINGS   := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Werror
ALL_CFLAGS  = -std=c11 -D_GNU_SOURCE $(WARNINGS) -I. -I$(B)/gen -MMD -MP $(SANITIZE) $(CFLAGS)

# The stages in pipeline order: a stage includes only headers of stages before it (make check-layers), and is linked
# against these alone.
STAGES := base hardware lexer parser step fmt algebra reference strategy sema derive lower verify plan distpar search codegen library calibrate driver

all: compiler runtime ## Build the compiler and the runtime

include scripts/rules.mk
include tests/rules.mk

# ---- Training the example ----------------------------------------------------------------------------------------
RANKS ?= 4
DATA  ?=
OUT   ?= build/gpt
TEXT   = $(if $(DATA),$(DATA),$(B)/licenses.txt)

$(B)/licenses.txt: scripts/corpus.sh
	$(Q)sh scripts/corpus.sh $@

run: export TEXT_FILE = $(TEXT)
run: all $(if $(DATA),,$(B)/licenses.txt) ## Train examples/gpt.place on RANKS=4 ranks; DATA=FILE for your own text
	$(Q)sed 's/mesh local on laptop { data: 4 }/mesh local on laptop { data: $(RANKS) }/; s/4 devices/$(RANKS) devices/' \
	    examples/gpt.place > $(B)/gpt.place
	$(Q)$(B)/placec plan $(B)/gpt.place
	$(Q)$(B)/placec run $(B)/gpt.place -o $(OUT) -- --data "$$TEXT_FILE" --checkpoint $(OUT)/checkpoints --sample 200

VERSION = $(shell sed -n 's/.*PLACE_VERSION "\(.*\)"/\1/p' base/version.h)

# ---- Installing ---------------------------------------------------------------------------------------------------
install: all ## Install into PREFIX=/usr/local (DESTDIR= for packagers)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/place $(DESTDIR)$(PREFIX)/include/place
	install -m 755 $(B)/placec $(DESTDIR)$(PREFIX)/bin
	install -m 644 $(B)/libplacec_llvm.so $(B)/libplacert.a $(B)/libplacert_mpi.so $(B)/libplacert_count.so \
	    $(wildcard $(B)/libplacert_mpich.so) $(DESTDIR)$(PREFIX)/lib/place
	install -m 644 runtime/place_rt.h $(DESTDIR)$(PREFIX)/include/place
	install -d $(DESTDIR)$(PREFIX)/lib/pkgconfig
	install -m 644 library/place.h $(DESTDIR)$(PREFIX)/include
	install -m 644 $(B)/libplace.a $(DESTDIR)$(PREFIX)/lib
	sed -e 's|@PREFIX@|$(PREFIX)|; s|@LIBS@|$(COMPILER_LIBS)|; s|@VERSION@|$(VERSION)|' library/place.pc.in \
	    > $(DESTDIR)$(PREFIX)/lib/pkgconfig/place.pc

# Of undefined behaviour not what the other sanitizer finds where it matters (a null pointer, the end of an object), nor
# what this processor defines (unaligned words): a check of every pointer, a quarter of the time to compile and to test.
UBSAN_LEFT_OUT := null,object-size,pointer-overflow,alignment
ASAN_FLAGS := SANITIZE='-fsanitize=address,undefined -fno-sanitize=$(UBSAN_LEFT_OUT) -fno-sanitize-recover=undefined -fno-omit-frame-pointer' \
    CFLAGS='-O1 -g1'

asan: ## Build everything with the address and undefined-behaviour sanitizers, below build/asan
	$(MAKE) B=build/asan $(ASAN_FLAGS) all

.PHONY: all run install asan
