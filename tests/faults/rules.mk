# Generated programs that are interrupted, resumed elsewhere, killed.
test-faults: all ## Generated programs: checkpoints across strategies and ranks, and what can go wrong in a run
	@B='$(B)' CC='$(CC)' sh tests/faults/faults.sh

.PHONY: test-faults
