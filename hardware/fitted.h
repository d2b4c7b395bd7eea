/* fitted.h - what no data sheet says of GPUs: the parts of their speeds that programs reach, the same for all. The
 * parts of products, memory and NVLink were fitted on four published runs (bench/predict.sh), the others are taken from
 * elsewhere, as said. */
#ifndef PLACE_HARDWARE_FITTED_H
#define PLACE_HARDWARE_FITTED_H

/* Of what the largest products were measured to reach. */
#define FITTED_PRODUCT_REACHED 0.89
/* Assumed: numbers that a product sums, and rows or columns of its result, at half the speed. */
#define FITTED_HALF_DEPTH 64.0
#define FITTED_HALF_EDGE 32.0
#define FITTED_MEMORY_REACHED 0.85
#define FITTED_NVLINK_REACHED 0.7
/* Calculon's, for InfiniBand. */
#define FITTED_NETWORK_REACHED 0.9
/* Not fitted: what TCP carries in a frame of 1,514 bytes, the rest of which are headers. */
#define ETHERNET_REACHED (1448.0 / 1514.0)
/* Assumed. */
#define FITTED_LAUNCH_SECONDS 3e-6

/* Of the 33 published steps that were fitted or scored first 30 are within it; of all others see bench/results.md. */
#define FITTED_SPREAD 0.15

#endif
