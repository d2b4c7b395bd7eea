# rules.mk - statements done literally: what is accepted does what it says.

test-statements: compiler $(B)/sim/sim ## Random statements against what they say
	@sh tests/statements/run.sh $(B) 100 1

# As many as COUNT, by SEED; bench/experiments.md has recorded ones.
experiment-statements: compiler $(B)/sim/sim ## The same at length: COUNT files, drawn by SEED
	@sh tests/statements/run.sh $(B) $(COUNT) $(SEED)

.PHONY: test-statements experiment-statements
