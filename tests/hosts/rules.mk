# Generated programs on several hosts.
test-hosts: all ## Generated programs on hosts in network namespaces (needs root)
	@B='$(B)' CC='$(CC)' sh tests/hosts/hosts.sh

.PHONY: test-hosts
