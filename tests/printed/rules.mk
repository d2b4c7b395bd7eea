# rules.mk - built programs against their step programs on simulated ranks, and against one rank.

$(B)/printed/printed: $(patsubst %,$(B)/obj/tests/printed/%.o,printed trial simulate communications) $(SIM_CORE) \
                      $(patsubst %,$(B)/obj/tests/sim/%.o,random_text chance stop) \
                      $(patsubst %,$(B)/obj/tests/equivalence/%.o,safetensors differences)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $^ -lcjson -lm

PRINTED = $(B)/printed/printed $(B)/placec $(B)/printed/programs

test-printed: all $(B)/printed/printed ## Built programs are what was proved: random ones, and what once was not
	@rm -rf $(B)/printed/programs
	@$(PRINTED) --count 20 --seed 1 --jobs 2 tests/printed/cases/*.place

experiment-printed: all $(B)/printed/printed ## The same for COUNT= random programs of SEED=, by JOBS= processes
	@$(PRINTED) --count $(COUNT) --seed $(SEED) --jobs $(JOBS)

# Checkpoints in layouts of their own have other names, which are not read here; reals of 113 bits do not overflow where
# the steep model is to.
experiment-matrix: all $(B)/printed/printed ## The same for the programs in f64 that test-run or test-all left, by JOBS=
	@$(PRINTED) --jobs $(JOBS) $$(grep -L ' saved ' $(B)/runs/f64.*/*.place | grep -v steep)

.PHONY: experiment-matrix test-printed experiment-printed
