# rules.mk - what the compiler offers, done as it is printed.
$(B)/apply: $(B)/obj/tests/suggest/apply.o
	$(Q)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $< -lcjson

test-suggest: compiler $(B)/apply ## Every change that is offered, made in the text and judged; T=PART-OF-PATH
	@PLACEC=$(B)/placec APPLY=$(B)/apply sh tests/suggest/run.sh $(T)

.PHONY: test-suggest
