"""What PyTorch computed, frozen by scripts/make_torch_outputs.py."""

from pathlib import Path

import numpy as np

with np.load(Path(__file__).parent / "data" / "torch_outputs.npz") as file:
    TORCH = dict(file)


def torch_case(prefix):
    """Return the arrays whose names start with the prefix, without it."""
    return {name.removeprefix(prefix): array for name, array in TORCH.items() if name.startswith(prefix)}
