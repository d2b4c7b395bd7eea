# The library as others see it, and from many threads.
test-library: all ## The installed libplace: header and archive alone, docs/library.md, no writable data
	@MAKE='$(MAKE)' B='$(B)' CC='$(CC)' sh tests/library/library.sh

TSAN_FLAGS := SANITIZE='-fsanitize=thread' CFLAGS='-O0 -g1'

$(B)/threads: $(B)/obj/tests/library/threads.o $(filter-out $(B)/libdriver.a,$(STAGE_LIBRARIES))
	$(Q)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $< $(filter-out $(B)/libdriver.a,$(LINK_STAGES)) $(COMPILER_LIBS) -lpthread

test-threads: ## Deriving and asking again and again, and from eight threads, under the thread sanitizer
	@$(MAKE) --no-print-directory B=build/tsan $(TSAN_FLAGS) build/tsan/threads >/dev/null
	@B=build/tsan sh tests/library/threads.sh

.PHONY: test-library test-threads
