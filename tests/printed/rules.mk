# rules.mk - built programs against their step programs on simulated ranks, and against one rank.

$(B)/printed/printed: $(patsubst %,$(B)/obj/tests/printed/%.o,printed trial simulate) $(SIM_CORE) \
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

.PHONY: test-printed experiment-printed
