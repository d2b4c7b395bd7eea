/* names.h - the keywords of the text form, for C's enumerations. */
#ifndef PLACE_STEP_NAMES_H
#define PLACE_STEP_NAMES_H

#include "step/step.h"

static const char *const tier_names[] = {[TIER_DEVICE] = "device", [TIER_HOST] = "host", [TIER_FILE] = "file"};
static const char *const category_names[] = {
    [CATEGORY_PARAMETERS] = "parameters",   [CATEGORY_GRADIENTS] = "gradients", [CATEGORY_OPTIMIZER] = "optimizer",
    [CATEGORY_ACTIVATIONS] = "activations", [CATEGORY_BUFFERS] = "buffers",     [CATEGORY_CACHE] = "cache"};
static const char *const tensor_kind_names[] = {
    [TENSOR_PARAMETER] = "parameter", [TENSOR_INPUT] = "input", [TENSOR_STATISTIC] = "statistic"};
static const char *const init_names[] = {
    [INIT_ZEROS] = "zeros", [INIT_ONES] = "ones", [INIT_NORMAL] = "normal", [INIT_UNIFORM] = "uniform"};
static const char *const state_kind_names[] = {[STATE_PARAMETERS] = "parameters",
                                               [STATE_GRADIENTS] = "gradients",
                                               [STATE_OPTIMIZER] = "optimizer",
                                               [STATE_STATISTICS] = "statistics"};
static const char *const routine_names[] = {
    [ROUTINE_INIT] = "init",       [ROUTINE_STEP] = "step", [ROUTINE_EVAL] = "eval",
    [ROUTINE_PREDICT] = "predict", [ROUTINE_JOIN] = "join", [ROUTINE_PREFILL] = "prefill"};
/* What a state, or a flat buffer, has one number for; the last entry, for states only, is one number in all. */
static const char *const per_names[] = {[EACH_ELEMENT] = "per_parameter",
                                        [EACH_ROW] = "per_row",
                                        [EACH_COLUMN] = "per_column",
                                        [EACH_TENSOR] = "per_tensor",
                                        [EACH_TENSOR + 1] = "scalar"};
enum { PER_NAMES_SCALAR = EACH_TENSOR + 1 };
static const char *const each_names[] = {
    [EACH_ELEMENT] = "", [EACH_ROW] = "rows", [EACH_COLUMN] = "columns", [EACH_TENSOR] = "tensors"};

#endif
