"""Attention in NumPy, one concept a file, in teaching order. This page is its table of contents.

A file has the name of the notebook that teaches it. Everything here is a function: ``from attnlib import softmax`` and
``attnlib.softmax`` give the function, although there is also a module of that name, as there is of `context_vectors`
and `cross_attention`. What else the module holds is reached by ``from attnlib.softmax import entropy``, or here, as
``attnlib.entropy``. (``import attnlib.softmax as name`` would bind the function, not the module.)

`attnlib.plots` and `attnlib.widgets` draw; import them by name, so that `import attnlib` needs NumPy only.
"""

# ruff: noqa: F401, I001 - a table of contents: imported to be found here, in teaching order

from attnlib.embeddings import tokenize, encode, embed, one_hot, mean_embedding, word_pieces, load_word_vectors
from attnlib.scores import dot_scores, cosine_scores, squared_distances, unit_rows
from attnlib.softmax import softmax, softmax_with_temperature, entropy, masked_softmax, temperature_of
from attnlib.context_vectors import context_vector, context_vectors, query_for
from attnlib.nearest_neighbours import knn_indices, knn_attention, equal_length_keys, enough_neighbors
from attnlib.kernel_machines import gaussian_kernel, exponential_kernel, kernel_attention, leave_one_out_bandwidth
from attnlib.kernel_machines import learned_kernel, load_nile, bandwidth_gradient
from attnlib.memory_retrieval import soft_lookup, hopfield_update, hopfield_energy, linear_memory, safe_beta
from attnlib.scaling import softmax_jacobian, scaled_dot_product_attention, context_jacobian
from attnlib.projections import project_qkv, self_attention, best_factors
from attnlib.masks import causal_mask, padding_mask, masked_attention, leaks_future, reach
from attnlib.cross_attention import cross_attention, additive_scores, monotone_alignment
from attnlib.multi_head import split_heads, merge_heads, multi_head_attention, fold_biases, parameter_count
from attnlib.multi_head import load_attention_layer, load_layer_outputs, sentence_ids, layer_input
from attnlib.positions import sees_order, sinusoidal_positions, rotate, rotary_scores, shift_matrix
from attnlib.encoder import load_encoder, encoder_input, load_encoder_outputs, erf
from attnlib.blocks import layer_norm, gelu, feed_forward, post_norm_block, pre_norm_block
from attnlib.paths import rnn_states, rnn_reach, context_reach, teach_rnn
from attnlib.learning import cross_entropy, numerical_gradient, softmax_backward, attention_backward, sgd_step
from attnlib.learning import self_attention_backward, recall_episodes, teach_recall, recall_accuracy, wrong_backward
from attnlib.cost import merge_partial, chunked_attention, causal_linear_attention, corrected_memory, cached_heads
from attnlib.cost import generate
from attnlib.induction import load_induction_model, random_repeats
from attnlib.gpt import load_gpt, to_pieces, from_pieces
from attnlib.sentences import load_senses, load_search_sentences
from attnlib.interpretability import head_contributions, rollout, induction_score, cut_heads, masking_effect
from attnlib.a_whole_transformer import sentence_vector, sentence_vectors, search_sentences, word_in_context, diagnose
