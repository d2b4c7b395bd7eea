/* loss_scale.h - a dynamic loss scale: the cotangent of the loss is multiplied by a scale, so that small gradients do
 * not vanish in half precision, and the complete gradient is divided by it. If the complete gradient is not finite the
 * step is skipped, every state keeps its value, and the scale is halved; after many good steps it is doubled.
 *
 *     loss_scale_append_init(b, span);
 *     ... in "step", around the gradient and the updates:
 *     Ref scale = loss_scale_ref(b);                 // what the cotangent is multiplied by
 *     Ref finite = loss_scale_divide(b, span);       // 1 or 0, the same on every rank; gradients are divided
 *     int first = b->program->op_count;
 *     ... updates ...
 *     loss_scale_guard(b, first, finite);            // they take effect if it is 1
 *     loss_scale_update(b, span, finite);
 */
#ifndef PLACE_REFERENCE_LOSS_SCALE_H
#define PLACE_REFERENCE_LOSS_SCALE_H

#include "reference/builder.h"

void loss_scale_append_init(Builder *b, Span span);
Ref loss_scale_ref(const Builder *b);
Ref loss_scale_divide(Builder *b, Span span);
void loss_scale_guard(Builder *b, int first_op, Ref finite);
void loss_scale_update(Builder *b, Span span, Ref finite);

#endif
