# Place: a compiler for distributed-training strategies. `make help` lists the targets.

-include config.mk

B           ?= build/debug
PREFIX      ?= /usr/local
CC          ?= cc
MPICC       ?= mpicc
LLVM_CONFIG ?= llvm-config-19
CFLAGS      ?= -O2 -g
V           ?= 0
Q           := $(if $(filter 1,$(V)),,@)

# Required flags are not CFLAGS: what the user gives there adds to them.
WARNINGS   := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Werror
ALL_CFLAGS := -std=c11 -D_GNU_SOURCE $(WARNINGS) -I. -I$(B)/gen -MMD -MP $(SANITIZE) $(CFLAGS)

# The stages in pipeline order: a stage includes only headers of stages before it (make check-layers).
STAGES := base lexer parser sema verify plan codegen driver

all: $(B)/placec $(B)/libplacec_llvm.so runtime ## Build the compiler and the runtime

include scripts/rules.mk

.PHONY: all
