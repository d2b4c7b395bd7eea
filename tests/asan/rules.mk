# The compiler's tests and a run over MPI under the address and undefined-behaviour sanitizers.
test-asan: asan ## Unit, ui, verify and dump tests and a run over MPI, all under sanitizers
	@MAKE='$(MAKE)' B=build/asan CC='$(CC)' $(ASAN_FLAGS) sh tests/asan/asan.sh

.PHONY: test-asan
