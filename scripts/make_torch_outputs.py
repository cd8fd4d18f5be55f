"""Make tests/data/torch_outputs.npz: what PyTorch computes, for the tests to compare with.

    python -m pip install torch
    python scripts/make_torch_outputs.py

Inputs and outputs are stored side by side, as float64. Sizes are distinct primes. Masks are stored by the course's
convention, True = may attend; MultiheadAttention's own say the reverse.
"""

from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

OUT = Path(__file__).parent.parent / "tests" / "data" / "torch_outputs.npz"
SEED = 2017


def scores():
    Q, K = torch.randn(2, 5, 3), torch.randn(2, 7, 3)
    yield "scores_Q", Q
    yield "scores_K", K
    yield "scores_cosine", F.cosine_similarity(Q[:, :, None], K[:, None], dim=-1)
    yield "scores_squared", torch.cdist(Q, K, compute_mode="donot_use_mm_for_euclid_dist") ** 2


def softmax():
    x = 100 * torch.randn(2, 5, 7)
    yield "softmax_x", x
    yield "softmax_weights", torch.softmax(x, dim=-1)
    row = torch.randn(11)
    yield "jacobian_x", row
    yield "jacobian", torch.autograd.functional.jacobian(lambda x: torch.softmax(x, dim=-1), row)


def scaled_dot_product():
    Q, K, V = torch.randn(2, 3, 5, 11), torch.randn(2, 3, 7, 11), torch.randn(2, 3, 7, 13)
    mask = torch.rand(2, 1, 5, 7) < 0.5
    mask[..., 0] = True  # torch gives NaN for a row with nothing to attend to, so that every row has something
    yield from {"sdpa_Q": Q, "sdpa_K": K, "sdpa_V": V, "sdpa_mask": mask}.items()
    yield "sdpa_context", F.scaled_dot_product_attention(Q, K, V)
    yield "sdpa_masked_context", F.scaled_dot_product_attention(Q, K, V, attn_mask=mask)
    yield "sdpa_causal_context", F.scaled_dot_product_attention(Q, K[:, :, :5], V[:, :, :5], is_causal=True)


def multi_head(case, d_model, num_heads, d_source=None, bias=True, padding=False, forbid=False):
    """Run MultiheadAttention once; d_source makes it cross-attention from 5 tokens to 7."""
    layer = torch.nn.MultiheadAttention(d_model, num_heads, bias=bias, kdim=d_source, vdim=d_source, batch_first=True)
    if bias:  # torch starts them at zero, where a forgotten bias would not show
        torch.nn.init.normal_(layer.in_proj_bias)
        torch.nn.init.normal_(layer.out_proj.bias)
    X_q = torch.randn(2, 5, d_model)
    X_kv = X_q if d_source is None else torch.randn(2, 7, d_source)
    n_kv = X_kv.shape[1]
    mask = torch.ones(2, 1, n_kv, dtype=torch.bool)
    if padding:
        mask = torch.arange(n_kv) < torch.tensor([[[2]], [[n_kv - 1]]])
    if forbid:
        mask = mask & (torch.rand(5, n_kv) < 0.5)
        mask[..., 0] = True
    context, weights = layer(
        X_q,
        X_kv,
        X_kv,
        key_padding_mask=~mask[:, 0] if padding and not forbid else None,
        attn_mask=~mask.expand(2, 5, n_kv).repeat_interleave(num_heads, dim=0) if forbid else None,
        average_attn_weights=False,
    )
    if d_source is None:
        W_q, W_k, W_v = layer.in_proj_weight.chunk(3)
    else:
        W_q, W_k, W_v = layer.q_proj_weight, layer.k_proj_weight, layer.v_proj_weight
    arrays = {"X_q": X_q, "X_kv": X_kv, "mask": mask, "context": context, "weights": weights}
    arrays |= {"W_q": W_q.T, "W_k": W_k.T, "W_v": W_v.T, "W_o": layer.out_proj.weight.T}
    if bias:
        arrays |= dict(zip(("b_q", "b_k", "b_v"), layer.in_proj_bias.chunk(3), strict=True))
        arrays["b_o"] = layer.out_proj.bias
    for name, array in arrays.items():
        yield f"mha_{case}_{name}", array
    yield f"mha_{case}_num_heads", torch.tensor(num_heads)


def layer_norm():
    X, weight, bias = torch.randn(2, 5, 7), torch.randn(7), torch.randn(7)
    yield from {"norm_X": X, "norm_weight": weight, "norm_bias": bias}.items()
    yield "norm_out", F.layer_norm(X, (7,), weight, bias, eps=1e-12)


def main():
    torch.manual_seed(SEED)
    torch.set_default_dtype(torch.float64)
    arrays = {
        **dict(scores()),
        **dict(softmax()),
        **dict(scaled_dot_product()),
        **dict(multi_head("self", d_model=33, num_heads=3)),
        **dict(multi_head("padded", d_model=35, num_heads=5, padding=True)),
        **dict(multi_head("cross", d_model=26, num_heads=2, d_source=17, padding=True)),
        **dict(multi_head("forbidden", d_model=21, num_heads=7, forbid=True)),
        **dict(multi_head("plain", d_model=13, num_heads=1, bias=False)),
        **dict(layer_norm()),
    }
    OUT.parent.mkdir(exist_ok=True)
    np.savez_compressed(OUT, **{name: np.ascontiguousarray(array.detach().numpy()) for name, array in arrays.items()})
    print(f"{len(arrays)} arrays, {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
