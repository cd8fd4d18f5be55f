"""Make attnlib/data/austen_gpt.npz, austen_pieces.txt and austen_held_out.txt: a small GPT that has read Jane Austen.

    python -m pip install torch
    apt-get download r-cran-janeaustenr && dpkg -x r-cran-janeaustenr_*.deb novels
    python scripts/train_austen.py novels 37

The number is how many minutes by the clock the training may take, on one thread; in 37, on a busy machine, it came to
4,829 steps. What torch makes of the shipped weights goes to tests/data/austen_outputs.npz. The text is in the public
domain; Debian's package has it without anything added.

Text is cut into pieces of words, learned by byte-pair encoding: the commonest pair of neighbouring pieces becomes a
piece, again and again, and in the end the 1,000 are kept that are used most. What is trained on and what is shipped is
cut by a simpler rule, "the longest piece that fits, from left to right", so that a few lines of Python can cut as the
model was taught.

Blocks normalise before (pre-norm), places turn queries and keys (RoPE, neighbouring columns), GELU is the exact one,
and the embedding is also the output: the course's own functions run it unchanged.
"""

import collections
import itertools
import math
import re
import struct
import sys
import time
import zlib
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

ROOT = Path(__file__).resolve().parent.parent
DATA, TESTS = ROOT / "attnlib" / "data", ROOT / "tests" / "data"
VOCABULARY, WIDTH, HEADS, LAYERS, PLACES, BATCH, BASE, EPSILON = 1000, 128, 4, 4, 128, 16, 10000.0, 1e-12
LEARNING_RATE, WEIGHT_DECAY, WARM_UP = 3e-3, 0.1, 150
#: This part of the text, its end, is not trained on; so many characters of it are shipped.
HELD_OUT, SHIPPED = 0.02, 24_000
#: So many pieces more are learned, to leave out those that are then hardly used.
SPARE = 150
#: What the stored outputs are of.
TEXTS = (" it is a truth universally acknowledged", " mr. darcy smiled.", ' "my dear," said')


def novels(folder):
    """Return the six novels as lower-case text of letters and a few marks, each paragraph but the first after "\\n ".

    The package is R's: a file of compressed objects, one a novel, each with its compressed length told by zlib itself.
    In an object, a string is a header (its last byte 9), the length in four bytes, and the bytes.
    """
    raw = next(Path(folder).rglob("janeaustenr/data/Rdata.rdb")).read_bytes()
    books = []
    while raw:
        stream = zlib.decompressobj()
        data = stream.decompress(raw[4:])
        if len(data) != struct.unpack(">I", raw[:4])[0]:
            raise SystemExit("the package's file is not as expected: an object has another length than it says")
        raw = stream.unused_data
        i, lines = data.index(b"\x00\x04\x00\x09"), []
        while data[i : i + 1] == b"\x00" and data[i + 3 : i + 4] == b"\x09":
            n = struct.unpack(">I", data[i + 4 : i + 8])[0]
            lines.append(data[i + 8 : i + 8 + n].decode("utf-8"))
            i += 8 + n
        books.append(cleaned("\n".join(lines)))
    return books


def cleaned(text):
    text = text.lower().replace("_", "").replace("--", " - ").replace("\u2019", "'")
    text = re.sub(r"(?<!\n)\n(?!\n)", " ", text)
    text = re.sub(r"\n\n+", "\n", text)
    text = re.sub(r"[^a-z .,;:!?'\"\n-]", "", text)
    return re.sub(r" *\n *", "\n ", re.sub(r" +", " ", text)).strip()


def learn_pieces(text):
    """Return 1,000 pieces: the single characters, then the commonest of those that byte-pair encoding joins."""
    chunks = collections.Counter(re.findall(r" ?[a-z']+|\n| ?[^a-z' \n]+| +", text))
    words = [[list(chunk), count] for chunk, count in chunks.items()]
    pieces = sorted(set(text))
    pairs, where = collections.Counter(), collections.defaultdict(set)
    for i, (word, count) in enumerate(words):
        for pair in itertools.pairwise(word):
            pairs[pair] += count
            where[pair].add(i)
    while len(pieces) < VOCABULARY + SPARE:
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        joined = "".join(best)
        if joined not in pieces:
            pieces.append(joined)
        for i in list(where[best]):
            word, count = words[i]
            for pair in itertools.pairwise(word):
                pairs[pair] -= count
            new, j = [], 0
            while j < len(word):
                both = tuple(word[j : j + 2]) == best
                new.append(joined if both else word[j])
                j += 2 if both else 1
            words[i][0] = new
            for pair in itertools.pairwise(new):
                pairs[pair] += count
                where[pair].add(i)
        del pairs[best]
    used = collections.Counter(cutter(pieces).findall(text))
    characters = [piece for piece in pieces if len(piece) == 1]
    longer = sorted((piece for piece in pieces if len(piece) > 1), key=lambda piece: (-used[piece], piece))
    return characters + longer[: VOCABULARY - len(characters)]


def cutter(pieces):
    """Return the regular expression that matches the longest piece."""
    return re.compile("|".join(re.escape(piece) for piece in sorted(pieces, key=len, reverse=True)))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(WIDTH, eps=EPSILON), nn.LayerNorm(WIDTH, eps=EPSILON)
        self.q, self.k, self.v, self.o = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        for linear, size in ((self.q, 0.04), (self.k, 0.04), (self.v, 0.04), (self.up, 0.02)):
            nn.init.normal_(linear.weight, std=size)
        for linear in (self.o, self.down):
            nn.init.normal_(linear.weight, std=0.02 / math.sqrt(2 * LAYERS))

    def forward(self, X, cosine, sine):
        batch, n, _ = X.shape
        normal = self.norm_1(X)
        Q, K, V = (part(normal).view(batch, n, HEADS, -1).transpose(1, 2) for part in (self.q, self.k, self.v))
        context = F.scaled_dot_product_attention(turned(Q, cosine, sine), turned(K, cosine, sine), V, is_causal=True)
        X = X + self.o(context.transpose(1, 2).reshape(batch, n, WIDTH))
        return X + self.down(F.gelu(self.up(self.norm_2(X))))


def turned(X, cosine, sine):
    even, odd = X[..., 0::2], X[..., 1::2]
    return torch.stack([even * cosine - odd * sine, even * sine + odd * cosine], dim=-1).flatten(-2)


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, WIDTH)
        nn.init.normal_(self.embedding.weight, std=0.05)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.norm = nn.LayerNorm(WIDTH, eps=EPSILON)
        d = WIDTH // HEADS
        angles = torch.arange(1024)[:, None] / BASE ** (torch.arange(0, d, 2) / d)
        self.register_buffer("cosine", angles.cos(), persistent=False)
        self.register_buffer("sine", angles.sin(), persistent=False)

    def forward(self, ids):
        X, n = self.embedding(ids), ids.shape[1]
        for block in self.blocks:
            X = block(X, self.cosine[:n].to(X.dtype), self.sine[:n].to(X.dtype))
        return self.norm(X) @ self.embedding.weight.T


def loss(model, ids, places=PLACES):
    """Return the loss for each place, the mean over stretches of `ids` that follow one another."""
    stretches = torch.stack([ids[i : i + places + 1] for i in range(0, len(ids) - places, places)])
    with torch.no_grad():
        parts = [
            F.cross_entropy(model(part[:, :-1]).transpose(1, 2), part[:, 1:], reduction="none")
            for part in stretches.split(64)
        ]
    return torch.cat(parts).mean(0)


def train(ids, held_out, minutes):
    torch.manual_seed(0)
    model, generator = GPT(), torch.Generator().manual_seed(0)
    # only matrices are drawn towards 0
    groups = [
        {"params": [p for p in model.parameters() if (p.ndim == 2) == matrix], "weight_decay": decay}
        for matrix, decay in ((True, WEIGHT_DECAY), (False, 0.0))
    ]
    optimiser = torch.optim.AdamW(groups, lr=LEARNING_RATE, betas=(0.9, 0.98))
    start, step, shown = time.monotonic(), 0, 0.0
    while (done := (time.monotonic() - start) / 60 / minutes) < 1:
        step += 1
        for group in optimiser.param_groups:
            group["lr"] = LEARNING_RATE * min(1, step / WARM_UP) * (0.02 + 0.98 * (1 + math.cos(math.pi * done)) / 2)
        at = torch.randint(len(ids) - PLACES, (BATCH,), generator=generator)
        batch = torch.stack([ids[i : i + PLACES + 1] for i in at])
        value = F.cross_entropy(model(batch[:, :-1]).reshape(-1, VOCABULARY), batch[:, 1:].reshape(-1))
        optimiser.zero_grad()
        value.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        shown = value.item() if step == 1 else 0.98 * shown + 0.02 * value.item()
        if step % 500 == 0:
            print(
                f"step {step}, {100 * done:.0f} %: {shown:.3f}; held out {loss(model, held_out).mean():.3f}", flush=True
            )
    print(f"{step} steps")
    return model


def rounded(W):
    """Return W as int8 and the scale of each column."""
    scale = (np.abs(W).max(axis=0) / 127).astype("<f4")
    return np.ascontiguousarray(np.rint(W / scale).astype("i1")), scale


def weights(model):
    """Return the arrays by the course's names; round the model's own to what they hold.

    The embedding has a scale for each piece, its rows; every other matrix is (d_in, d_out) with one for each column.
    """
    arrays = {"num_heads": np.array(HEADS)}

    def matrix(weight):
        W, scale = rounded(weight.detach().double().numpy().T)
        weight.data.copy_(torch.from_numpy((W.astype(np.float32) * scale).T.copy()))
        return W, scale

    def vector(name, tensor):
        arrays[name] = tensor.detach().numpy().astype("<f2")
        tensor.data.copy_(torch.from_numpy(arrays[name].astype(np.float32)))

    W, scale = matrix(model.embedding.weight)
    arrays |= {"embedding": np.ascontiguousarray(W.T), "embedding_scale": scale[:, None]}
    for i, block in enumerate(model.blocks):
        parts = {"q": block.q, "k": block.k, "v": block.v, "o": block.o, "1": block.up, "2": block.down}
        for name, linear in parts.items():
            arrays[f"layer_{i}_W_{name}"], arrays[f"layer_{i}_scale_{name}"] = matrix(linear.weight)
            vector(f"layer_{i}_b_{name}", linear.bias)
        for name, norm in {"norm_1": block.norm_1, "norm_2": block.norm_2}.items():
            vector(f"layer_{i}_{name}_weight", norm.weight)
            vector(f"layer_{i}_{name}_bias", norm.bias)
    vector("norm_weight", model.norm.weight)
    vector("norm_bias", model.norm.bias)
    return arrays


def main(folder, minutes):
    torch.set_num_threads(1)
    text = "".join(f" {novel}\n" for novel in novels(folder))
    pieces = learn_pieces(text)
    cut = cutter(pieces)
    number = {piece: i for i, piece in enumerate(pieces)}
    ids = torch.tensor([number[piece] for piece in cut.findall(text)])
    print(f"{len(text):,} characters, {len(ids):,} pieces, {len(text) / len(ids):.3f} characters each", flush=True)
    last = int(len(ids) * (1 - HELD_OUT))
    held_out = ids[last:]
    characters = sum(len(pieces[i]) for i in held_out.tolist()) / len(held_out)
    model = train(ids[:last], held_out, minutes)
    before = loss(model, held_out).mean()
    arrays = weights(model)
    after = loss(model, held_out).mean()
    long = loss(model, held_out, 256)
    print(f"held out: {before:.4f} nats a piece, rounded {after:.4f}, that is {after / characters:.4f} a character")
    print(
        "by place:",
        {
            f"{a}-{b}": round(float(long[a:b].mean()), 3)
            for a, b in ((0, 16), (16, 64), (64, 128), (128, 160), (160, 200), (200, 256))
        },
    )
    model.double()
    outputs = {"texts": np.array(TEXTS)}
    for i, sample in enumerate(TEXTS):
        sample_ids = torch.tensor([number[piece] for piece in cut.findall(sample)])
        with torch.no_grad():
            outputs |= {f"ids_{i}": sample_ids.numpy(), f"logits_{i}": model(sample_ids[None])[0].numpy().astype("<f4")}
    np.savez_compressed(DATA / "austen_gpt.npz", **arrays)
    np.savez_compressed(TESTS / "austen_outputs.npz", **outputs)
    # no piece has a backslash
    (DATA / "austen_pieces.txt").write_text("".join(piece.replace("\n", "\\n") + "\n" for piece in pieces))
    shipped = "".join(pieces[i] for i in held_out.tolist())[:SHIPPED]
    (DATA / "austen_held_out.txt").write_text(shipped[shipped.index("\n") + 1 : shipped.rindex("\n") + 1])
    print(f"{(DATA / 'austen_gpt.npz').stat().st_size:,} bytes")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(sys.argv[1], float(sys.argv[2]))
