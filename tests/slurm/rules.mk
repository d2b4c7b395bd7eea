# Generated programs through Slurm; not in `make test`: it takes a minute, and needs what few machines have.
test-slurm: all ## job.sbatch on nodes in network namespaces (needs root, slurm-wlm and munge)
	@B='$(B)' CC='$(CC)' sh tests/slurm/jobs.sh

.PHONY: test-slurm
