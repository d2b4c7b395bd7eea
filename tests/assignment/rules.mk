# rules.mk - what `--dump=assignment` prints, compiled again.
$(B)/trips: $(patsubst %,$(B)/obj/tests/%.o,assignment/trips assignment/draw sim/random_text sim/chance) $(call libraries_upto,library)
	$(Q)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $(filter %.o,$^) $(call reverse,$(filter %.a,$^)) $(COMPILER_LIBS) -lm

test-assignment: compiler $(B)/trips ## What `--dump=assignment` prints compiles to the same step program
	@sh tests/assignment/run.sh $(B)

# The PART-th so many; bench/experiments.md has recorded ones.
experiment-assignment: $(B)/trips ## The same for COUNT random programs, and as many strategies, of SEED
	@$(B)/trips --programs $(COUNT) --strategies $(COUNT) --seed $(SEED) --first $(FIRST)

.PHONY: test-assignment experiment-assignment
