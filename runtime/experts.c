/* experts.c - checks that every row that goes to an expert has found a place there. */
#include "runtime/run.h"

#include <stdio.h>

/* One whole number of the arena, which may be on a device. */
static int32_t number_at(const prt_run *run, const void *numbers, int64_t index)
{
    int32_t number;
    run->device->copy(&number, (const int32_t *)numbers + index, sizeof number, 0);
    return number;
}

void prt_check_places(prt_context *ctx, int64_t layer, const void *source, int64_t queues, int64_t places, int64_t rows,
                      const void *numbers, int64_t experts)
{
    for (int64_t q = 0; q < queues; q++) {
        int64_t more = number_at(ctx->run, source, (q + 1) * places - 1) - rows;
        if (more <= 0)
            continue;
        char of_layer[40] = "";
        if (layer >= 0)
            snprintf(of_layer, sizeof of_layer, " of layer %lld", (long long)layer);
        prt_fail(ctx,
                 "expert %d%s is chosen by %lld rows of an example and has room for %lld; nothing is saved of this step"
                 " (a larger 'room' of 'moe', or none, which is the worst case, or a stronger 'load_balance' may help)",
                 (int)number_at(ctx->run, numbers, q % experts), of_layer, (long long)(places + more),
                 (long long)places);
    }
}
