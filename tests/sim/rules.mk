# rules.mk - the simulator of step programs and its experiments. The simulator itself links nothing of the compiler;
# confusion and mutate meet the compiler in prove.c only, test_derived in the deriver, pairs in the verifier's machine too.

SIM_CORE     := $(patsubst %,$(B)/obj/tests/sim/%.o,pool number operators text_reader step_text text_tree form \
                  loops evaluate pieces members table route window perform exchange machine run saved one_device oracle compare)
SIM_COMPILER := $(call libraries_upto,verify)
SIM_BOTH     := $(patsubst %,$(B)/obj/tests/sim/%.o,matrix prove stop) $(SIM_CORE) $(SIM_COMPILER)

# They count for minutes, on this machine alone.
$(SIM_CORE): private ALL_CFLAGS += -O3 -march=native

$(B)/sim/sim: $(B)/obj/tests/sim/sim_main.o $(SIM_CORE)
$(B)/sim/test_machine: $(B)/obj/tests/sim/test_machine.o $(SIM_CORE)
$(B)/sim/test_machine: SIM_LIBS := -lcmocka
$(B)/sim/confusion: $(B)/obj/tests/sim/confusion.o $(B)/obj/tests/sim/exhaust.o $(SIM_BOTH)
$(B)/sim/turns: $(B)/obj/tests/sim/turns.o $(SIM_BOTH)
MUTATIONS := mutations mutations_order mutations_work mutations_names mutations_declared

$(B)/sim/mutate: $(patsubst %,$(B)/obj/tests/sim/%.o,mutate $(MUTATIONS) cells signature random_text chance) $(SIM_BOTH)
$(B)/sim/mutate: SIM_LIBS := $(COMPILER_LIBS)

$(B)/sim/random: $(patsubst %,$(B)/obj/tests/sim/%.o,random random_text chance hits cells signature) $(SIM_BOTH)
$(B)/sim/random: SIM_LIBS := $(COMPILER_LIBS)

$(B)/sim/pairs: $(patsubst %,$(B)/obj/tests/sim/%.o,pairs equal_cells straight_text straight_buffers straight_sources \
                  straight_maps straight_ranks straight_images chance) $(SIM_BOTH)

$(B)/sim/cancel: $(patsubst %,$(B)/obj/tests/sim/%.o,cancel cancel_text chance) $(SIM_BOTH)

$(B)/sim/wrong: $(patsubst %,$(B)/obj/tests/sim/%.o,wrong edits $(MUTATIONS) chance) $(SIM_BOTH)
$(B)/sim/wrong: SIM_LIBS := $(COMPILER_LIBS)

# The verifier with checks that can be switched off: what they keep away may then be read unset, which is not reported.
CHECKS := $(B)/sim/checked
CHECKED := $(patsubst verify/%.c,$(CHECKS)/%.o,$(wildcard verify/*.c))

$(CHECKS)/checks.txt: $(wildcard verify/*.[ch]) tests/sim/checks.awk tests/sim/checks.sh
	@sh tests/sim/checks.sh $(CHECKS)

$(CHECKED): $(CHECKS)/%.o: $(CHECKS)/checks.txt tests/sim/checks.h
	$(Q)$(CC) -I$(CHECKS)/include $(ALL_CFLAGS) -w -include tests/sim/checks.h -c -o $@ $(CHECKS)/$*.c

SIM_TRIALS := $(patsubst %,$(B)/obj/tests/sim/%.o,trials edits $(MUTATIONS) random_text chance) \
              $(filter-out %libverify.a,$(SIM_BOTH))

$(B)/sim/checks: $(B)/obj/tests/sim/checks.o $(CHECKED) $(SIM_TRIALS)
$(B)/sim/checks: SIM_LIBS := $(COMPILER_LIBS)

$(B)/sim/test_derived: $(B)/obj/tests/sim/test_derived.o $(filter-out %/matrix.o,$(SIM_BOTH))
$(B)/sim/test_derived: SIM_LIBS := -lcmocka $(COMPILER_LIBS)

SIM_PROGRAMS := $(patsubst %,$(B)/sim/%,sim test_machine test_derived confusion turns mutate random pairs cancel wrong checks)
$(SIM_PROGRAMS):
	@mkdir -p $(@D)
	$(Q)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $(filter %.o,$^) $(call reverse,$(filter %.a,$^)) $(SIM_LIBS) -lm

test-sim: $(filter-out %/checks,$(SIM_PROGRAMS)) $(B)/placec ## Verdicts of the verifier against simulated ranks, the short experiments
	@sh tests/sim/run.sh $(B)

# The long experiments: COUNT of each, drawn by SEED, the mutants by JOBS processes. Of random programs, pairs and cancellations
# PART n has those from n * COUNT on, so that parts can be run at the same time, or one after another; mutants that were
# stopped after SECONDS continue when they are asked for again. Results go below the build directory; bench/experiments.md
# has recorded ones.
COUNT       ?= 1000
SEED        ?= 1
JOBS        ?= 1
PART        ?= 0
SECONDS     ?= 0
EXPERIMENTS := $(B)/sim/experiments
SIM_FILES    = tests/sim/cases/*.step tests/verify/pipeline*.step tests/verify/prefetched-zero3.step
# Few programs have messages and waits: they are changed more often.
SIM_STAGES   = tests/sim/cases/pipeline*.step tests/verify/pipeline*.step tests/verify/prefetched-zero3.step \
               $(EXPERIMENTS)/derived/[gm]*pipeline*.step $(EXPERIMENTS)/derived/*stages*.step
SIM_WRONG    = tests/sim/cases/wrong/*.step tests/sim/cases/found/*.step
SIM_EDITS    = tests/sim/cases/wrong/*.edits tests/sim/cases/strict/*.edits

# $(1).txt gets what the command says; it is shown, and its status kept.
recorded = $(2) > $(EXPERIMENTS)/$(1).txt; status=$$?; cat $(EXPERIMENTS)/$(1).txt; exit $$status

FIRST = $$(($(PART) * $(COUNT)))

experiment-random: $(B)/sim/random ## COUNT random programs of SEED, the PART-th so many
	@mkdir -p $(EXPERIMENTS)
	@$(call recorded,random-$(SEED)-$(PART),$< --count $(COUNT) --seed $(SEED) --first $(FIRST) \
	    --hits $(EXPERIMENTS)/hits-$(SEED)-$(PART).txt)

experiment-pairs: $(B)/sim/pairs ## Pairs of equal cells of COUNT programs of SEED, the PART-th so many
	@mkdir -p $(EXPERIMENTS)
	@$(call recorded,pairs-$(SEED)-$(PART),$< --count $(COUNT) --seed $(SEED) --first $(FIRST))

experiment-cancel: $(B)/sim/cancel ## COUNT cancellations of each rule of SEED, the PART-th so many
	@mkdir -p $(EXPERIMENTS)
	@$(call recorded,cancel-$(SEED)-$(PART),$< --count $(COUNT) --seed $(SEED) --first $(FIRST))

# The derived programs stay, so that what was stopped continues with the same ones.
$(EXPERIMENTS)/derived/.done: $(B)/placec tests/sim/derive.sh
	@mkdir -p $(EXPERIMENTS)
	@sh tests/sim/derive.sh $(B)/placec $(EXPERIMENTS)/derived
	@touch $@

experiment-mutants: $(B)/sim/mutate $(EXPERIMENTS)/derived/.done ## COUNT mutants of SEED, COUNT / 60 that differ of each kind, no empty cell
	@$(call recorded,mutants-$(SEED),$< --random --total $(COUNT) --each $$(($(COUNT) / 60)) \
	    --count $$(($(COUNT) / 200)) --jobs $(JOBS) --fill --seed $(SEED) --kinds --seconds $(SECONDS) \
	    --state $(EXPERIMENTS)/mutants-$(SEED)-$(COUNT).state --hits $(EXPERIMENTS)/mutations.txt \
	    $(SIM_FILES) $(EXPERIMENTS)/derived/*.step $(SIM_STAGES) $(SIM_STAGES) --wrong $(SIM_WRONG))

experiment-explicit: $(B)/sim/confusion ## Explicit programs: COUNT of each model
	@mkdir -p $(EXPERIMENTS)
	@$(call recorded,explicit,$< --limit $(COUNT))

experiment-checks: $(B)/sim/checks ## Which checks of the verifier the experiments need
	@mkdir -p $(EXPERIMENTS)
	@sh tests/verify/expand.sh $(EXPERIMENTS)/verify
	@$(call recorded,checks,$< $(CHECKS)/checks.txt --random $$(($(COUNT) / 50 + 1)) --count 50 --seed $(SEED) \
	    $(SIM_EDITS) $(SIM_WRONG) $(EXPERIMENTS)/verify/*.step tests/sim/cases/*.step)

experiments: $(SIM_PROGRAMS) $(B)/placec ## The long experiments on simulated ranks, all of them: COUNT= of each, SEED=
	@for part in random pairs cancel mutants explicit checks; do \
	    $(MAKE) --no-print-directory experiment-$$part || exit 1; done

include tests/sim/equality.mk

.PHONY: test-sim experiments experiment-random experiment-pairs experiment-cancel experiment-mutants experiment-explicit \
        experiment-checks
