"""Attention in NumPy, one concept a file, in teaching order. This page is its table of contents.

Everything here is a function: ``from attnlib import softmax`` and ``attnlib.softmax`` give the function, although
there is also a module of that name. What else the module holds is reached by ``from attnlib.softmax import entropy``,
or here, as ``attnlib.entropy``. (``import attnlib.softmax as name`` would bind the function, not the module.)

`attnlib.plots` and `attnlib.widgets` draw; import them by name, so that `import attnlib` needs NumPy only.
"""

# ruff: noqa: F401, I001 - a table of contents: imported to be found here, in teaching order

from attnlib.embeddings import tokenize, encode, embed, one_hot, mean_embedding, load_word_vectors
from attnlib.similarity import dot_scores, cosine_scores, squared_distances, unit_rows
from attnlib.softmax import softmax, softmax_with_temperature, entropy
from attnlib.context import context_vector, context_vectors
from attnlib.neighbors import knn_indices, knn_attention
from attnlib.kernels import gaussian_kernel, exponential_kernel, kernel_attention, leave_one_out_bandwidth
from attnlib.kernels import learned_kernel, load_nile
from attnlib.memory import soft_lookup, hopfield_update, hopfield_energy, memory_context
from attnlib.attention import softmax_jacobian, scaled_dot_product_attention, project_qkv, self_attention
from attnlib.attention import cross_attention, additive_scores
from attnlib.masks import causal_mask, padding_mask, masked_softmax, masked_attention, leaks_future
from attnlib.multihead import split_heads, merge_heads, multi_head_attention, parameter_count, layer_norm
from attnlib.multihead import load_attention_layer, load_layer_outputs, sentence_ids, layer_input
