# rules.mk - every choice of the deriver, pinned.
$(B)/every: $(patsubst %,$(B)/obj/tests/%.o,pins/every pins/copies sim/chance) $(call libraries_upto,library)
	$(Q)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $(filter %.o,$^) $(call reverse,$(filter %.a,$^)) $(COMPILER_LIBS) -lm

test-pins: compiler $(B)/every $(B)/sim/sim ## Every choice of the deriver, pinned by a statement: proved or refused
	@sh tests/pins/run.sh $(B)

.PHONY: test-pins
