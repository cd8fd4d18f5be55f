"""TODO: What attention costs."""

from attnlib import cached_heads, causal_linear_attention, chunked_attention, corrected_memory, generate, merge_partial


def test_TODO_what_is_true_of_merge_partial():
    assert merge_partial("TODO: values by hand first, then properties") == "merge_partial"


def test_TODO_what_is_true_of_chunked_attention():
    assert chunked_attention("TODO: values by hand first, then properties") == "chunked_attention"


def test_TODO_what_is_true_of_causal_linear_attention():
    assert causal_linear_attention("TODO: values by hand first, then properties") == "causal_linear_attention"


def test_TODO_what_is_true_of_corrected_memory():
    assert corrected_memory("TODO: values by hand first, then properties") == "corrected_memory"


def test_TODO_what_is_true_of_cached_heads():
    assert cached_heads("TODO: values by hand first, then properties") == "cached_heads"


def test_TODO_what_is_true_of_generate():
    assert generate("TODO: values by hand first, then properties") == "generate"
