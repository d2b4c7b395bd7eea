# rules.mk - what the compiler offers, done as it is printed.
$(B)/apply: $(B)/obj/tests/suggest/apply.o
	$(Q)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $< -lcjson

test-suggest: compiler $(B)/apply ## Every change that is offered, made in the text and judged; T=PART-OF-PATH
	@PLACEC=$(B)/placec APPLY=$(B)/apply sh tests/suggest/run.sh $(T)

$(B)/texts: $(patsubst %,$(B)/obj/tests/%.o,suggest/texts sim/random_text sim/chance)
	$(Q)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $^

# Below the build directory, so that what fails can be looked at.
suggestions: compiler $(B)/apply $(B)/texts ## Changes that are offered for COUNT random programs, drawn by SEED
	@rm -rf $(B)/suggestions && mkdir -p $(B)/suggestions
	@$(B)/texts $(B)/suggestions $(COUNT) $(SEED)
	@cd $(B)/suggestions && ls | sort -n | xargs $(abspath $(B)/apply) --counts $(abspath $(B)/placec)

.PHONY: test-suggest suggestions
