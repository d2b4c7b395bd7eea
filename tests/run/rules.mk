# The runtime under programs that are written by hand.
test-runtime: runtime ## The runtime on 1 to 4 ranks: training, checkpoints, faults
	@B='$(B)' CC='$(CC)' SANITIZE='$(SANITIZE)' sh tests/run/runtime.sh

.PHONY: test-runtime
