# equality.mk - the experiment that damages the verifier's equality (tests/sim/equality.c).

# The verifier whose equality can be damaged.
VARIED_IN := $(B)/sim/varied
VARIED    := $(patsubst verify/%.c,$(VARIED_IN)/%.o,$(wildcard verify/*.c))

$(B)/sim/vary: $(B)/obj/tests/sim/vary.o

$(VARIED_IN)/list.txt: $(wildcard verify/*.[ch]) $(B)/sim/vary tests/sim/equality.sh
	@sh tests/sim/equality.sh $(B)/sim/vary $(VARIED_IN)

$(VARIED): $(VARIED_IN)/%.o: $(VARIED_IN)/list.txt tests/sim/vary.h
	$(Q)$(CC) -I$(VARIED_IN)/include $(ALL_CFLAGS) -w -include tests/sim/vary.h -c -o $@ $(VARIED_IN)/$*.c

$(B)/sim/equality: $(B)/obj/tests/sim/equality.o $(VARIED) $(SIM_TRIALS)
$(B)/sim/equality: SIM_LIBS := $(COMPILER_LIBS)

$(B)/sim/equality $(B)/sim/vary:
	@mkdir -p $(@D)
	$(Q)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $(filter %.o,$^) $(call reverse,$(filter %.a,$^)) $(SIM_LIBS) -lm

# Where a condition is asked in nearly every program, not all of them are tried: those that are there for it come first.
EQUALITY_FIRST := $(addprefix tests/sim/cases/,iterations.step pipeline-1f1b.step wrong/loops.edits)

equality: $(B)/sim/equality $(B)/placec ## Damage to the verifier's equality: JOBS= processes, SEED=
	@mkdir -p $(EXPERIMENTS)
	@sh tests/sim/derive.sh $(B)/placec $(EXPERIMENTS)/derived
	@sh tests/verify/expand.sh $(EXPERIMENTS)/verify
	@$(call recorded,equality,$(B)/sim/equality $(VARIED_IN)/list.txt tests/sim/implied.txt --jobs $(JOBS) --random 40 --count 4 \
	    --seed $(SEED) $(EQUALITY_FIRST) $(SIM_EDITS) $(SIM_WRONG) $(EXPERIMENTS)/verify/*.step tests/sim/cases/*.step $(EXPERIMENTS)/derived/*.step)

.PHONY: equality
