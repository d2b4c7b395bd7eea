# Generated programs against their plan.
test-measured: all ## Generated programs: calls, arena and memory measured against the plan
	@B='$(B)' CC='$(CC)' sh tests/measured/measured.sh

.PHONY: test-measured
