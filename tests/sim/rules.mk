# rules.mk - the simulator of step programs and its experiments. The simulator itself links nothing of the compiler.

SIM_CORE   := pool step_text machine arithmetic perform oracle
SIM_OBJECTS := $(SIM_CORE:%=$(B)/obj/tests/sim/%.o)

$(B)/sim/sim: $(SIM_OBJECTS) $(B)/obj/tests/sim/sim_main.o
	@mkdir -p $(@D)
	$(Q)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $^ -lm

$(B)/sim/test_machine: $(SIM_OBJECTS) $(B)/obj/tests/sim/test_machine.o
	@mkdir -p $(@D)
	$(Q)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $^ -lcmocka -lm
