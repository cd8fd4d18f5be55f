"""The bank of exercises: one module a notebook, in teaching order, and `BANK`, which finds an exercise by its id."""

from grader.exercise import Exercise
from grader.exercises import (
    context_vectors,
    cross_attention,
    embeddings,
    kernels,
    masks,
    memory,
    multi_head,
    neighbors,
    projections,
    scaling,
    scores,
    softmax,
    start_here,
)

MODULES = (
    start_here,
    embeddings,
    scores,
    softmax,
    context_vectors,
    neighbors,
    kernels,
    memory,
    scaling,
    projections,
    masks,
    cross_attention,
    multi_head,
)


def _collect(modules):
    bank = {}
    for module in modules:
        for thing in vars(module).values():
            if isinstance(thing, Exercise) and bank.setdefault(thing.id, thing) is not thing:
                raise ValueError(f"two exercises have the id {thing.id}")
    return bank


BANK = _collect(MODULES)
