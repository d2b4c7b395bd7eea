"""The peer of examples/gpt.place: the same GPT in PyTorch DDP over gloo, one thread per rank.

Same model (6 layers, 384 wide, 6 heads, context 256, 256 bytes, tied head, biases, GELU with tanh), same optimizer
(AdamW, clipping at norm 1), same global batch, f32. Prints tokens/s, the median over the counted steps.

    RANK=0 WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=29517 python3 bench/peer_gpt.py FILE [--compile] [--steps N]
"""

import argparse
import os
import statistics
import time

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn


def attention(q, k, v):
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(q, k, v, is_causal=True)
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    hidden = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
    return scores.masked_fill(hidden, float("-inf")).softmax(-1) @ v


class Block(nn.Module):
    def __init__(self, hidden, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(hidden), nn.LayerNorm(hidden)
        self.qkv, self.out = nn.Linear(hidden, 3 * hidden), nn.Linear(hidden, hidden)
        self.up, self.down = nn.Linear(hidden, 4 * hidden), nn.Linear(4 * hidden, hidden)

    def forward(self, x):
        b, t, h = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(b, t, 3, self.heads, h // self.heads).permute(2, 0, 3, 1, 4)
        y = attention(q, k, v)
        x = x + self.out(y.transpose(1, 2).reshape(b, t, h))
        return x + self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh"))


class Gpt(nn.Module):
    def __init__(self, layers=6, hidden=384, heads=6, context=256, vocab=256):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(vocab, hidden), nn.Embedding(context, hidden)
        self.blocks = nn.ModuleList(Block(hidden, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(hidden)
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.normal_(p, std=0.02)

    def forward(self, tokens, targets):
        x = self.wte(tokens) + self.wpe(torch.arange(tokens.shape[1]))
        for block in self.blocks:
            x = block(x)
        logits = F.linear(self.norm(x), self.wte.weight)
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten())


def main():
    options = argparse.ArgumentParser()
    options.add_argument("file")
    options.add_argument("--compile", action="store_true")
    options.add_argument("--steps", type=int, default=20)
    options.add_argument("--batch", type=int, default=8)
    options = options.parse_args()
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    dist.init_process_group("gloo")
    rank, ranks = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(1)
    text = torch.frombuffer(bytearray(open(options.file, "rb").read()), dtype=torch.uint8).long()
    model = Gpt()
    if options.compile:
        model = torch.compile(model)
    model = nn.parallel.DistributedDataParallel(model, gradient_as_bucket_view=True)
    newer = int(torch.__version__.split(".")[0]) >= 2
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, weight_decay=0.1, **({"fused": True} if newer else {}))
    draw = torch.Generator().manual_seed(2)
    seconds = []
    for _ in range(options.steps):
        starts = torch.randint(len(text) - 257, (options.batch,), generator=draw)[rank::ranks]
        batch = torch.stack([text[s : s + 257] for s in starts])
        begin = time.perf_counter()
        optimizer.zero_grad(set_to_none=False)
        loss = model(batch[:, :-1], batch[:, 1:])
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        dist.barrier()
        seconds.append(time.perf_counter() - begin)
    if rank == 0:
        median = statistics.median(seconds[5:])
        print(f"{options.batch * 256 / median:.0f} tokens/s, {1000 * median:.1f} ms/step, loss {loss.item():.4f}, "
              f"torch {torch.__version__}{' compiled' if options.compile else ''}")
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
