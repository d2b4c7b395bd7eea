# rules.mk - the tests. Every suite is a target whose output ends in one line: N passed, N failed, N skipped.

# Kernels that several programs have are compiled once (codegen/kernel_cache.h), and nothing is left outside this tree.
export PLACE_CACHE ?= $(CURDIR)/build/cache

# ---- Tests: tests/unit/STAGE_what.c links the stages up to STAGE ------------------------------------------------------
# By name one that takes long is the last: it is the first here, so that it does not run alone at the end.
SLOW_LAST  := $(B)/unit/verify_windows
UNIT_TESTS := $(SLOW_LAST) $(filter-out $(SLOW_LAST),$(patsubst tests/unit/%.c,$(B)/unit/%,$(wildcard tests/unit/*.c)))
stage_of    = $(firstword $(subst _, ,$(notdir $(1))))
stages_upto = $(if $(filter $(1),$(firstword $(2))),$(1),$(firstword $(2)) $(call stages_upto,$(1),$(wordlist 2,$(words $(2)),$(2))))
libraries_upto = $(foreach s,$(call stages_upto,$(1),$(STAGES)),$(B)/lib$(s).a)

# A stack that is watched is looked up for every call, faster in the program than in a library. What loads the kernel
# generator has the library of that.
STATIC_ASAN := $(if $(findstring address,$(SANITIZE)),-static-libasan -static-libubsan)
unit_asan    = $(if $(filter codegen_%,$(1)),,$(STATIC_ASAN))

# A test's own code takes longer to optimise than to run, but in these, which compute by themselves what they expect.
COMPUTING    := algebra_brute runtime_window runtime_gemm
unit_cflags   = $(ALL_CFLAGS) $(if $(filter $(COMPUTING),$(1)),,-O0)

.SECONDEXPANSION:
$(B)/unit/runtime_%: tests/unit/runtime_%.c $(B)/libplacert.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(call unit_cflags,$(@F)) -rdynamic -o $@ $< $(B)/libplacert.a -lcmocka -lcjson -ldl -lpthread -lm

$(B)/unit/%: tests/unit/%.c $$(call libraries_upto,$$(call stage_of,%))
	@mkdir -p $(@D)
	$(Q)$(CC) $(call unit_cflags,$(@F)) $(call unit_asan,$*) -o $@ $< $(call reverse,$(filter %.a,$^)) -lcmocka $(COMPILER_LIBS)

# These load the kernel generator and build programs.
$(filter $(B)/unit/codegen_%,$(UNIT_TESTS)): | $(B)/libplacec_llvm.so runtime
$(B)/unit/codegen_kernels $(B)/unit/plan_algorithms: $(B)/libplacert.a

# Joined by '+': one on each core, the longest first, so that no core waits for the last process of a suite. Those over MPI
# wait busily, so next to them are only ones that compute; what measures time is alone.
SUITES := test-search+check-closed+test-fuzz+test-ui+check-words+check-headers+check-codes+check-layers+check-format+check-size+test-bugs+test-infer+test-library+test-compatible+test-verify+test-dump+test-distpar+test-predicted+test-readme \
          test-unit test-sim+test-passes+test-pins+test-assignment test-run test-losses test-serve test-printed test-install \
          test-hosts+test-cli+test-suggest+test-statements test-runtime test-measured test-asan+test-faults+test-threads+test-gpu

# What suites link, built on every core before they start.
TEST_PROGRAMS = $(UNIT_TESTS) $(filter-out %/checks,$(SIM_PROGRAMS)) $(B)/sim/vary $(B)/verify $(B)/equivalence $(B)/trips $(B)/every \
                $(B)/apply $(B)/printed/printed $(B)/fuzz/fuzz_parse $(DISTPAR_TABLES)

test: all $$(TEST_PROGRAMS) ## Run all suites; ends with one line: N passed, N failed, N skipped
	@B=$(B) MAKE='$(MAKE)' sh tests/all.sh $(SUITES)

test-unit: $(UNIT_TESTS) ## Unit tests; T=NAME for one
	@sh tests/unit/run.sh $(if $(T),$(B)/unit/$(T),$(UNIT_TESTS))

test-ui: compiler ## Diagnostics against their annotated programs; T=FILE for one
	@PLACEC=$(B)/placec sh tests/ui/run.sh $(T)

test-verify: compiler ## Step programs by hand and what the verifier answers; T=NAME for one
	@PLACEC=$(B)/placec sh tests/verify/run.sh $(T)

test-bugs: compiler ## Real bugs refused, their corrections accepted; T=ID for one
	@PLACEC=$(B)/placec sh tests/bugs/run.sh $(T)

test-cli: compiler runtime ## The command line against hostile input
	@PLACEC=$(B)/placec sh tests/cli/run.sh

# The proof alone: of the compiler it links what is named here.
$(B)/verify: $(B)/obj/tests/verify/verify_main.o $(B)/libverify.a $(B)/libstep.a $(B)/libbase.a
	$(Q)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $^ -lm

test-dump: compiler $(B)/verify ## Dumps against their golden files; `make bless` rewrites these
	@PLACEC=$(B)/placec VERIFY=$(B)/verify sh tests/dump/run.sh

test-distpar: $(DISTPAR_TABLES) ## The tables of docs/distpar.md
	@DISTPAR=$(DISTPAR_TABLES) sh bench/distpar.sh --check

test-predicted: compiler ## Published steps against what is predicted
	@sh bench/predict.sh --check $(B)/placec

test-infer: compiler ## What `placec infer` answers
	@PLACEC=$(B)/placec sh tests/infer/run.sh

test-search: compiler ## What `placec search` answers
	@PLACEC=$(B)/placec sh tests/search/run.sh

test-serve: all ## Served models on several ranks, with caches in every placement, against one rank
	@sh tests/serve/run.sh $(B)

test-passes: compiler $(B)/verify $(B)/sim/sim ## Every program after every pass: proved, and on simulated ranks
	@PLACEC=$(B)/placec VERIFY=$(B)/verify SIM=$(B)/sim/sim sh tests/passes.sh $(B)/passes

test-compatible: compiler ## Every strategy of the prelude with every other: docs/compatibility.md
	@PLACEC=$(B)/placec sh tests/compatible.sh

test-readme: compiler ## What the examples in README.md and docs/diagnostics.md print
	@PLACEC=$(B)/placec sh tests/readme.sh

bless: compiler $(B)/verify ## Rewrite the golden files; review the difference
	@PLACEC=$(B)/placec sh tests/check-format.sh --bless
	@PLACEC=$(B)/placec VERIFY=$(B)/verify sh tests/dump/run.sh --bless
	@PLACEC=$(B)/placec sh tests/ui/run.sh --bless
	@PLACEC=$(B)/placec sh tests/check-codes.sh --bless
	@PLACEC=$(B)/placec sh tests/compatible.sh --bless
	@PLACEC=$(B)/placec sh tests/readme.sh --bless

golden: compiler $(B)/sim/wrong ## What the compiler says of every program, against the record in tests/golden
	@PLACEC=$(B)/placec WRONG=$(B)/sim/wrong sh tests/golden.sh $(B)/golden
	@diff -r -u tests/golden $(B)/golden && echo "golden: nothing differs"

golden-bless: compiler $(B)/sim/wrong ## Rewrite the record; the commit says what changed, and why
	@PLACEC=$(B)/placec WRONG=$(B)/sim/wrong sh tests/golden.sh tests/golden

$(B)/equivalence: $(patsubst %.c,$(B)/obj/%.o,$(wildcard tests/equivalence/*.c)) $(STAGE_LIBRARIES) $(B)/libplacert.a
	$(Q)$(CC) $(SANITIZE) $(LDFLAGS) -rdynamic -o $@ $(filter %.o,$^) $(LINK_STAGES) $(B)/libplacert.a $(COMPILER_LIBS) -lpthread

test-run: all $(B)/equivalence ## Every strategy that runs against one rank and the reference interpreter
	@sh tests/equivalence/run.sh $(B)

test-gpu: all $(B)/equivalence $(B)/unit/codegen_kernels ## Every kernel on a GPU, if there is one
	@sh tests/gpu/run.sh $(B)

test-all: all $(B)/equivalence ## The whole matrix of tests/equivalence/matrix.txt
	@sh tests/equivalence/run.sh $(B) all

test-losses: all ## A perceptron and LeNet train, on 4 ranks and over three axes
	@B=$(B) sh tests/models/train.sh test

test-models: all ## Every example and every model of tests/models trains; T=NAME for one
	@B=$(B) sh tests/models/train.sh all $(T)

test-install: all ## What `make install` leaves works by itself
	@MAKE='$(MAKE)' B='$(B)' sh tests/install.sh

test-fresh: ## Both commands in a minimal Debian root (needs root and debootstrap)
	@sh tests/fresh.sh

check-codes: compiler ## Every diagnostic code has a page whose example shows it, and a test
	@PLACEC=$(B)/placec sh tests/check-codes.sh

check-format: compiler ## Programs, the prelude and the documentation are in the one style
	@PLACEC=$(B)/placec sh tests/check-format.sh

check-words: ## The words of documentation and sources are those of the glossary, lines and references hold
	@sh tests/check-words.sh

check-size: ## No file, function or folder is longer than the bars in tests/check-size.sh
	@sh tests/check-size.sh

check-layers: ## A stage includes only headers of stages before it
	@sh tests/check-layers.sh $(STAGES)

check-headers: $(B)/gen/place_parser.h ## Every header compiles alone
	@CC='$(CC)' FLAGS='-std=c11 -D_GNU_SOURCE $(WARNINGS) -I. -I$(B)/gen -isystem $(shell $(LLVM_CONFIG) --includedir)' \
	    sh tests/check-headers.sh $(STAGES) runtime

check-closed: compiler $(call libraries_upto,reference) $(B)/sim/vary ## Operators added to copies of the tables: without rules they do not compile
	@CC='$(CC)' VARY=$(B)/sim/vary FLAGS='-std=c11 -D_GNU_SOURCE $(WARNINGS) -I. -I$(B)/gen' \
	    LIBRARIES='$(call reverse,$(call libraries_upto,reference)) -lcmocka $(COMPILER_LIBS)' sh tests/closed.sh $(B)/closed

-include tests/sim/rules.mk
include tests/assignment/rules.mk
include tests/pins/rules.mk
include tests/statements/rules.mk
include tests/fuzz/rules.mk
include tests/suggest/rules.mk
include tests/library/rules.mk
-include tests/run/rules.mk
include tests/printed/rules.mk
include tests/measured/rules.mk
include tests/faults/rules.mk
include tests/hosts/rules.mk
include tests/slurm/rules.mk
include tests/asan/rules.mk

.PHONY: golden golden-bless test test-distpar test-predicted test-infer test-gpu test-unit test-ui test-verify test-bugs test-cli test-dump test-passes test-compatible test-readme test-run test-all test-losses test-serve test-models test-install test-fresh bless check-codes check-format check-words check-size check-layers check-headers check-closed
