# rules.mk - builds the compiler and the runtime. Everything is written below $(B).

# A changed flag rebuilds everything compiled with it. Flags of some objects are private: this file would inherit them from
# whichever object is made first, and differ from one target to the next.
$(B)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(ALL_CFLAGS)' | cmp -s - $@ || echo '$(CC) $(ALL_CFLAGS)' > $@
FORCE:

# ---- Generated sources -------------------------------------------------------------------------------------------
GEN := $(B)/gen/place_parser.c $(B)/gen/place_lexer.c $(B)/gen/prelude_text.h $(B)/gen/explain_text.h \
       $(B)/gen/run_text.h $(B)/gen/job_text.h $(B)/gen/calibrate_text.h

$(B)/gen/place_parser.c $(B)/gen/place_parser.h &: parser/place.y
	@mkdir -p $(@D)
	$(Q)bison -Wall -Wcounterexamples -Werror --defines=$(B)/gen/place_parser.h -o $(B)/gen/place_parser.c $<

$(B)/gen/place_lexer.c $(B)/gen/place_lexer.h &: lexer/place.l
	@mkdir -p $(@D)
	$(Q)flex --header-file=$(B)/gen/place_lexer.h -o $(B)/gen/place_lexer.c $<

# A text file as a C string array.
$(B)/gen/prelude_text.h: prelude/prelude.place scripts/embed.sh
	@mkdir -p $(@D)
	$(Q)sh scripts/embed.sh prelude_text $< > $@

# What calibrate runs.
$(B)/gen/calibrate_text.h: calibrate/models.place scripts/embed.sh
	@mkdir -p $(@D)
	$(Q)sh scripts/embed.sh calibrate_text $< > $@

# The shell of the emitted run.sh and job.sbatch.
$(B)/gen/run_text.h: codegen/run.sh scripts/embed.sh
	@mkdir -p $(@D)
	$(Q)sh scripts/embed.sh run_text $< > $@

$(B)/gen/job_text.h: codegen/job.sbatch scripts/embed.sh
	@mkdir -p $(@D)
	$(Q)sh scripts/embed.sh job_text $< > $@

$(B)/gen/explain_text.h: $(wildcard docs/errors/*.md) scripts/embed.sh
	@mkdir -p $(@D)
	$(Q)sh scripts/embed.sh --pages explain_pages $(sort $(wildcard docs/errors/*.md)) > $@

# ---- The compiler ------------------------------------------------------------------------------------------------
stage_sources = $(filter-out $(LLVM_SOURCES) driver/main.c,$(wildcard $(1)/*.c))
LLVM_SOURCES  := $(wildcard codegen/llvm_*.c)

stage_objects = $(patsubst %.c,$(B)/obj/%.o,$(call stage_sources,$(1)))
LEXER_GEN     := $(B)/obj/gen/place_lexer.o
PARSER_GEN    := $(B)/obj/gen/place_parser.o

define stage_library
$(B)/lib$(1).a: $$(call stage_objects,$(1)) $(if $(filter lexer,$(1)),$(LEXER_GEN)) $(if $(filter parser,$(1)),$(PARSER_GEN))
	@mkdir -p $$(@D)
	@rm -f $$@
	$$(Q)ar rcs $$@ $$^
endef
$(foreach stage,$(STAGES),$(eval $(call stage_library,$(stage))))

# Only these include generated files.
$(foreach stage,lexer parser codegen library calibrate,$(call stage_objects,$(stage))): | $(GEN)

$(B)/obj/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

# Generated C keeps all warnings except those that the generators' own code cannot avoid.
$(B)/obj/gen/%.o: $(B)/gen/%.c $(B)/flags | $(GEN)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -Wno-missing-prototypes -Wno-unused-function -c -o $@ $<

STAGE_LIBRARIES := $(foreach stage,$(STAGES),$(B)/lib$(stage).a)
# Static archives from the last stage to the first, so that each finds what it needs.
reverse = $(if $(1),$(call reverse,$(wordlist 2,$(words $(1)),$(1))) $(firstword $(1)))
LINK_STAGES     := $(call reverse,$(STAGE_LIBRARIES))

COMPILER_LIBS := -lcjson -ldl -lm

compiler: $(B)/placec $(B)/libplacec_llvm.so libplace ## Build the compiler only

# ---- libplace: every stage in one object, of which only the names of library/place.h are seen from outside -----------
PLACE_OBJECTS := $(foreach stage,$(filter-out calibrate driver,$(STAGES)),$(call stage_objects,$(stage))) $(LEXER_GEN) $(PARSER_GEN)

libplace: $(B)/libplace.a ## Build the library only

$(B)/place.symbols: library/place.h
	$(Q)grep -oE '\bplace_[a-z_]+\(' $< | tr -d '(' | sort -u > $@

$(B)/place.o: $(PLACE_OBJECTS) $(B)/place.symbols
	$(Q)$(CC) -r -nostdlib -o $@ $(PLACE_OBJECTS)
	$(Q)objcopy --keep-global-symbols=$(B)/place.symbols $@

$(B)/libplace.a: $(B)/place.o
	@rm -f $@
	$(Q)ar rcs $@ $<

$(B)/placec: $(B)/obj/driver/main.o $(B)/libdriver.a $(B)/libcalibrate.a $(B)/libplace.a
	$(Q)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(COMPILER_LIBS)

# ---- LLVM: in a shared object of its own, loaded only where kernels are generated -----------------------------------
LLVM_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(LLVM_SOURCES))
$(LLVM_OBJECTS): private ALL_CFLAGS += -fPIC -isystem $(shell $(LLVM_CONFIG) --includedir 2>/dev/null)

$(B)/libplacec_llvm.so: $(LLVM_OBJECTS) $(B)/pic/llvm_needs.stamp
	$(Q)$(CC) -shared $(SANITIZE) $(LDFLAGS) -o $@ $(LLVM_OBJECTS) $$($(LLVM_CONFIG) --ldflags --libs) -lm

$(B)/pic/llvm_needs.stamp:
	@mkdir -p $(@D)
	@touch $@

# ---- The runtime ---------------------------------------------------------------------------------------------------
RUNTIME_SOURCES := $(filter-out runtime/comm_mpi.c runtime/count_mpi.c,$(wildcard runtime/*.c))
RUNTIME_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(RUNTIME_SOURCES))
# Every program gets a copy: names of lines are enough of a debugger's tables. Under a sanitizer nothing is faster for -O3,
# which takes twice as long to compile.
RUNTIME_CFLAGS  := $(if $(SANITIZE),,-O3) -march=native -fno-math-errno -fno-trapping-math -fPIC -g1
$(RUNTIME_OBJECTS): private ALL_CFLAGS += $(RUNTIME_CFLAGS)

$(B)/libplacert.a: $(RUNTIME_OBJECTS)
	@rm -f $@
	$(Q)ar rcs $@ $^

# MPI is chosen when a program starts, so nothing else includes its headers.
MPI_SOURCES := runtime/comm_mpi.c runtime/exchange.c runtime/view.c
$(B)/libplacert_mpi.so: $(MPI_SOURCES) $(wildcard runtime/*.h) $(B)/flags
	$(Q)$(MPICC) $(ALL_CFLAGS) -fPIC -shared -o $@ $(MPI_SOURCES)

# The same over MPICH, if it is installed next to another MPI.
MPICH_CC ?= $(shell command -v mpicc.mpich)
$(B)/libplacert_mpich.so: $(MPI_SOURCES) $(wildcard runtime/*.h) $(B)/flags
	$(Q)$(MPICH_CC) $(ALL_CFLAGS) -fPIC -shared -o $@ $(MPI_SOURCES)

# Counts what the program really passes to MPI (PMPI); preloaded by tests and by `run`.
$(B)/libplacert_count.so: runtime/count_mpi.c $(wildcard runtime/*.h) $(B)/flags
	$(Q)$(MPICC) $(ALL_CFLAGS) -fPIC -shared -o $@ runtime/count_mpi.c

# Where programs built by this tree's placec find the header.
$(B)/include/place_rt.h: runtime/place_rt.h
	@mkdir -p $(@D)
	$(Q)cp $< $@

runtime: $(B)/libplacert.a $(B)/libplacert_mpi.so $(if $(MPICH_CC),$(B)/libplacert_mpich.so) $(B)/libplacert_count.so $(B)/include/place_rt.h ## Build the runtime libraries

-include $(shell find $(B) -name '*.d' 2>/dev/null)

$(B)/bench/%: bench/%.c $(B)/libplacert.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -o $@ $< $(B)/libplacert.a -lcjson -ldl -lpthread -lm

bench-convolutions: $(B)/bench/convolutions ## Layers of well-known networks by oneDNN and by products
	@OMP_NUM_THREADS=1 $(B)/bench/convolutions

bench-products: $(B)/bench/products ## Products of matrices in f32, and in bf16 by conversion and as such
	@OMP_NUM_THREADS=1 $(B)/bench/products

# The tables of docs/distpar.md.
DISTPAR_TABLES := $(B)/bench/distpar_tables
$(DISTPAR_TABLES): $(patsubst %.c,$(B)/obj/%.o,$(wildcard bench/distpar/*.c)) \
    $(foreach stage,plan step distpar base,$(B)/lib$(stage).a)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $^ -lm

# For bench/algorithms.sh.
$(B)/bench/algorithms_predicted: $(B)/obj/bench/algorithms.o $(foreach stage,plan hardware step base,$(B)/lib$(stage).a)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $^ -lm

bench-distpar: $(DISTPAR_TABLES) ## Write the tables of docs/distpar.md
	@DISTPAR=$(DISTPAR_TABLES) sh bench/distpar.sh

help: ## List the targets
	@grep -hE '^[a-z][a-z-]*:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | sort | expand -t 20

clean: ## Remove everything that was built
	rm -rf build

.PHONY: FORCE help clean runtime compiler libplace
