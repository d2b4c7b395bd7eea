#!/usr/bin/env python3
"""peer_kernels.py: PyTorch's memory-bound operators at the sizes of bench/gpu/gpt_*.place, on the GPU, in bf16 and f32.

A row is an operator: the bytes that it must at least move, the median time of 15 calls in us, the rate. Adam's states and
the master copy are f32.
"""
import statistics

import torch
import torch.nn.functional as F

TOKENS, HIDDEN, WIDE, VOCAB, HEADS, CONTEXT = 4096, 2048, 8192, 8192, 64, 1024


def median_us(call):
    for _ in range(3):
        call()
    times = []
    for _ in range(15):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        call()
        end.record()
        end.synchronize()
        times.append(start.elapsed_time(end) * 1e3)
    return statistics.median(times)


def bytes_of(*tensors):
    return sum(t.numel() * t.element_size() for t in tensors)


def row(name, dtype, moved, call):
    us = median_us(call)
    print(f"{name:28} {str(dtype)[6:]:9} {moved:10d} bytes {us:9.1f} us {moved / us / 1e3:7.0f} GB/s", flush=True)


def operators(dtype):
    def make(*shape):
        return torch.randn(*shape, device="cuda", dtype=torch.float32).to(dtype)

    wide, grad = make(TOKENS, WIDE), make(TOKENS, WIDE)
    row("gelu", dtype, 2 * bytes_of(wide), lambda: F.gelu(wide))
    row("gelu_bwd", dtype, 3 * bytes_of(wide), lambda: torch.ops.aten.gelu_backward(grad, wide))
    bias = make(WIDE)
    row("add bias", dtype, 2 * bytes_of(wide) + bytes_of(bias), lambda: wide + bias)
    row("sum of rows", dtype, bytes_of(wide, bias), lambda: grad.sum(0))

    scores, upward = make(HEADS, CONTEXT, CONTEXT), make(HEADS, CONTEXT, CONTEXT)
    share = torch.softmax(scores, -1)
    row("softmax", dtype, 2 * bytes_of(scores), lambda: torch.softmax(scores, -1))
    row("softmax_bwd", dtype, 3 * bytes_of(scores), lambda: torch._softmax_backward_data(upward, share, -1, dtype))

    x, dx, weight, offset = make(TOKENS, HIDDEN), make(TOKENS, HIDDEN), make(HIDDEN), make(HIDDEN)
    row("add", dtype, 3 * bytes_of(x), lambda: x + dx)
    row("layernorm", dtype, 2 * bytes_of(x), lambda: F.layer_norm(x, (HIDDEN,), weight, offset))
    _, mean, rstd = torch.ops.aten.native_layer_norm(x, (HIDDEN,), weight, offset, 1e-5)
    row("layernorm_bwd", dtype, 3 * bytes_of(x), lambda: torch.ops.aten.native_layer_norm_backward(
        dx, x, (HIDDEN,), mean, rstd, weight, offset, (True, True, True)))

    logits = make(TOKENS, VOCAB)
    targets = torch.randint(0, VOCAB, (TOKENS,), device="cuda")
    logs = torch.log_softmax(logits, -1)
    one = torch.ones((), device="cuda", dtype=dtype)
    row("log_softmax and nll", dtype, bytes_of(logits), lambda: F.cross_entropy(logits, targets))
    total = torch.tensor(float(TOKENS), device="cuda", dtype=dtype)
    spread = torch.ops.aten.nll_loss_backward(one, logs, targets, None, 1, -100, total)
    row("log_softmax_bwd", dtype, 2 * bytes_of(logits), lambda: torch._log_softmax_backward_data(spread, logs, -1, dtype))

    table, rows = make(VOCAB, HIDDEN), torch.randint(0, VOCAB, (TOKENS,), device="cuda")
    row("embedding", dtype, 2 * bytes_of(x), lambda: F.embedding(rows, table))
    row("embedding_bwd", dtype, bytes_of(x) + bytes_of(table),
        lambda: torch.ops.aten.embedding_dense_backward(dx, rows, VOCAB, -1, False))


def updates():
    parameter = torch.randn(4 * 2048 * 2048 * 3, device="cuda", requires_grad=True)
    parameter.grad = torch.randn_like(parameter)
    optimizer = torch.optim.AdamW([parameter], lr=3e-4, fused=True)
    optimizer.step()
    row("adamw, fused", torch.float32, 7 * bytes_of(parameter), optimizer.step)
    half = parameter.detach().to(torch.bfloat16)
    row("cast to bf16", torch.float32, bytes_of(parameter, half), lambda: parameter.detach().to(torch.bfloat16))
    row("square and sum", torch.float32, bytes_of(parameter), lambda: torch.linalg.vector_norm(parameter.grad))
    row("copy", torch.float32, 2 * bytes_of(parameter), lambda: parameter.detach().clone())


if __name__ == "__main__":
    print(torch.__version__, torch.cuda.get_device_name(0))
    operators(torch.bfloat16)
    operators(torch.float32)
    updates()
