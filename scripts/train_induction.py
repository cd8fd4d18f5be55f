"""Make attnlib/data/induction_model.npz and induction_trap.npz: two attention layers that copy, and one that cheats.

    python -m pip install torch
    python scripts/train_induction.py

Both read random letters in which a stretch comes twice, and say at each place which letter comes next. In the first
copy nobody can know; in the second, whoever finds the same letter in the first can. For the model that is shipped, each
sequence has a period of its own, and so the only way is by what the letters are: a head of the first layer that tells
each place which letter was before it, and a head of the second that looks for the letter that it has just seen there.

The model that cheats has one layer, in which this cannot be done. A quarter of its sequences has one and the same
period, 24, and so it pays to look 23 places back, whatever stands there.

Three random starts are trained, and the one with the least loss is taken; how its heads came about is stored as well.
The head that looks one place back is stored as head 1 of layer 0: [0, 0] would read the same as [head, layer].
Takes some five minutes of one thread.
"""

import math
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

DATA = Path(__file__).resolve().parent.parent / "attnlib" / "data"
LETTERS, PLACES, WIDTH, HEADS, BATCH, STEPS, LEARNING_RATE = 32, 49, 64, 2, 64, 2500, 3e-3
#: The one that fits the places exactly: the start, and 24 letters twice.
LONGEST = 24
LOGGED = 50


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(4))

    def forward(self, X):
        batch, n, _ = X.shape
        Q, K, V = (part(X).view(batch, n, HEADS, -1).transpose(1, 2) for part in (self.q, self.k, self.v))
        scores = Q @ K.transpose(-1, -2) / math.sqrt(WIDTH // HEADS)
        weights = scores.masked_fill(~torch.ones(n, n, dtype=torch.bool).tril(), -math.inf).softmax(-1)
        return self.o((weights @ V).transpose(1, 2).reshape(batch, n, WIDTH)), weights


class Model(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.embedding, self.positions = nn.Embedding(LETTERS + 1, WIDTH), nn.Embedding(PLACES, WIDTH)
        for table in (self.embedding, self.positions):
            nn.init.normal_(table.weight, std=0.3)
        self.layers = nn.ModuleList(Attention() for _ in range(layers))
        self.unembedding = nn.Linear(WIDTH, LETTERS + 1, bias=False)

    def forward(self, ids):
        X, found = self.embedding(ids) + self.positions.weight[: ids.shape[1]], []
        for layer in self.layers:
            context, weights = layer(X)
            X = X + context
            found.append(weights)
        return self.unembedding(X), found


def sequences(rng, fixed):
    """Return a batch in which a stretch comes twice: of any period, at any place; if `fixed`, 24 letters twice."""
    ids = rng.integers(1, LETTERS + 1, size=(BATCH, PLACES))
    ids[:, 0] = 0
    for row in ids:
        period = LONGEST if fixed else rng.integers(3, LONGEST + 1)
        first = 1 if fixed else rng.integers(1, PLACES - 2 * period + 1)
        row[first + period : first + 2 * period] = row[first : first + period]
    return torch.from_numpy(ids)


def losses(model, ids):
    with torch.no_grad():
        logits, weights = model(ids)
    return F.cross_entropy(logits[:, :-1].transpose(1, 2), ids[:, 1:], reduction="none").mean(0).numpy(), weights


def measured(model, period=LONGEST, seed=1000):
    """Return what the model makes of fresh letters that come twice.

    Loss in the first copy and in the second, from its second letter on: at the first nobody can know that it is one.
    For each layer and head, the mean weight on the place before, and on what came after the same letter.
    """
    rng = np.random.default_rng(seed + period)
    letters = rng.integers(1, LETTERS + 1, size=(256, period))
    ids = torch.from_numpy(np.concatenate([np.zeros((256, 1), int), letters, letters], axis=1))
    loss, weights = losses(model, ids)
    after, every = np.arange(period + 1, 2 * period + 1), np.arange(1, 2 * period + 1)
    return {
        "first": loss[:period].mean(),
        "second": loss[period + 1 :].mean(),
        "previous": np.array([W[:, :, every, every - 1].mean((0, 2)).numpy() for W in weights]),
        "induction": np.array([W[:, :, after, after - period + 1].mean((0, 2)).numpy() for W in weights]),
    }


def train(layers, seed, shortcut=False):
    """Return a trained model, rounded to half precision, and how it came about."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    model, log = Model(layers), []
    optimiser = torch.optim.Adam(model.parameters(), lr=LEARNING_RATE)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: min(1, (STEPS - step) / (0.3 * STEPS)))
    for step in range(STEPS + 1):
        if step % LOGGED == 0:
            found = measured(model)
            log.append((step, found["second"], found["previous"][0].max(), found["induction"][-1].max()))
        if step == STEPS:
            break
        ids = sequences(rng, fixed=shortcut and step % 4 == 3)
        logits, _ = model(ids)
        loss = F.cross_entropy(logits[:, :-1].transpose(1, 2), ids[:, 1:])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
    model.half().float()
    found = measured(model)
    by_period = {period: round(float(measured(model, period)["second"]), 2) for period in (6, 12, 18, 24)}
    name = f"{layers} layer{'s' * (layers > 1)}, seed {seed}{', a quarter with period 24' if shortcut else ''}"
    print(f"{name}: loss {found['first']:.2f}, second copy {found['second']:.3f}; by period {by_period}")
    for layer, (previous, induction) in enumerate(zip(found["previous"], found["induction"], strict=True)):
        print(f"    layer {layer}: place before {previous.round(2)}, induction {induction.round(2)}", flush=True)
    other = measured(model, 12)
    print(f"    with period 12: induction {other['induction'].round(2).tolist()}", flush=True)
    return model, np.array(log).T


def arrays_of(model):
    """Return the arrays by the course's names; projections are (d_out, d_in) in torch, (d_in, d_out) here."""
    arrays = {
        "embedding": model.embedding.weight,
        "positions": model.positions.weight,
        "unembedding": model.unembedding.weight.T,
    }
    for i, layer in enumerate(model.layers):
        arrays |= {f"layer_{i}_W_{name}": getattr(layer, name).weight.T for name in "qkvo"}
    return {name: array.detach().numpy().astype("<f2") for name, array in arrays.items()}


def heads_exchanged(arrays, layer):
    """Return the same model, in which the two heads of a layer have changed their numbers."""
    turned = np.roll(np.arange(WIDTH), WIDTH // HEADS)
    columns = {name: arrays[name][:, turned] for name in (f"layer_{layer}_W_{part}" for part in "qkv")}
    return arrays | columns | {f"layer_{layer}_W_o": arrays[f"layer_{layer}_W_o"][turned]}


def main():
    torch.set_num_threads(1)
    trained = [train(2, seed) for seed in range(3)]
    best = min(range(len(trained)), key=lambda seed: measured(trained[seed][0])["second"])
    print(f"seed {best} is taken", flush=True)
    train(1, 0)
    train(2, 0, shortcut=True)
    save(*trained[best], train(1, 0, shortcut=True)[0])


def save(model, log, trapped):
    logged = dict(zip(("step", "loss", "previous", "induction"), log.astype("<f4"), strict=True))
    emergence = {f"emergence_{name}": array for name, array in logged.items()}
    arrays = arrays_of(model)
    if measured(model)["previous"][0].argmax() == 0:
        arrays = heads_exchanged(arrays, 0)
    for name, stored in {
        "induction_model.npz": arrays | emergence,
        "induction_trap.npz": arrays_of(trapped),
    }.items():
        np.savez_compressed(DATA / name, num_heads=np.array(HEADS), **stored)
        print(f"{name}: {(DATA / name).stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
