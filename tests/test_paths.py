"""TODO: Paths."""

from attnlib import context_reach, rnn_reach, rnn_states


def test_TODO_what_is_true_of_rnn_states():
    assert rnn_states("TODO: values by hand first, then properties") == "rnn_states"


def test_TODO_what_is_true_of_rnn_reach():
    assert rnn_reach("TODO: values by hand first, then properties") == "rnn_reach"


def test_TODO_what_is_true_of_context_reach():
    assert context_reach("TODO: values by hand first, then properties") == "context_reach"
