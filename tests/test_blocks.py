"""TODO: Blocks."""

from attnlib import feed_forward, gelu, layer_norm, post_norm_block, pre_norm_block


def test_TODO_what_is_true_of_layer_norm():
    assert layer_norm("TODO: values by hand first, then properties") == "layer_norm"


def test_TODO_what_is_true_of_gelu():
    assert gelu("TODO: values by hand first, then properties") == "gelu"


def test_TODO_what_is_true_of_feed_forward():
    assert feed_forward("TODO: values by hand first, then properties") == "feed_forward"


def test_TODO_what_is_true_of_post_norm_block():
    assert post_norm_block("TODO: values by hand first, then properties") == "post_norm_block"


def test_TODO_what_is_true_of_pre_norm_block():
    assert pre_norm_block("TODO: values by hand first, then properties") == "pre_norm_block"
