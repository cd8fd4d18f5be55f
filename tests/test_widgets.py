"""Explorers: every control moves the picture and the sentence, and both are those of the static picture."""

import threading
import time

import ipywidgets
import numpy as np
import pytest

import attnlib
from attnlib import plots, widgets
from attnlib.widgets.base import Explorer, slider

WORDS = ["The", "cat", "sat"]
X = np.array([[0.2, 0.5], [0.8, 0.1], [0.3, 0.9]])
KEYS = np.array([[2, 0], [0, 2], [-1.5, -1], [1.5, -1.5]])
VALUES = np.array([[0, 0], [4, 0], [4, 3], [1, 4]])


def embeddings():
    vocabulary, E = attnlib.load_word_vectors()
    return widgets.explore_embeddings(vocabulary, E)


def real_heads(text):
    vocabulary, E = attnlib.load_word_vectors()
    layer = attnlib.load_attention_layer()
    tokens, token_ids = attnlib.sentence_ids(text, vocabulary)
    X = attnlib.layer_input(token_ids, E, layer)
    names = ["W_q", "W_k", "W_v", "W_o", "num_heads", "b_q", "b_k", "b_v", "b_o"]
    return tokens, attnlib.multi_head_attention(X, X, **{name: layer[name] for name in names})[1]


EXPLORERS = {
    "embeddings": (embeddings, {"start": "paris", "t": 0.5, "end": "music"}),
    "scores of a query": (lambda: widgets.explore_scores([[1, 2]], KEYS), {"angle": 10, "length": 3}),
    "scores of a key": (
        lambda: widgets.explore_scores(X, X, WORDS, WORDS, move="key", index=1),
        {"angle": -90, "length": 0},
    ),
    "softmax": (
        lambda: widgets.explore_softmax([2, 1, -0.5], WORDS),
        {"temperature": 0.1, "score_0": 0, "score_2": 4, "shift": 1},
    ),
    "context": (lambda: widgets.explore_context([1, 0.5], KEYS, VALUES), {"x": -2, "y": 3}),
    "heads": (
        lambda: widgets.explore_heads(real_heads, "The cat sat"),
        {"text": "A dog slept here", "head": 4, "token": 3},
    ),
    "scaling": (widgets.explore_scaling, {"d_k": 2, "n_keys": 5}),
    "recall": (
        lambda: widgets.explore_recall(plots.pixel_letters("ATX"), list("ATX")),
        {"memory": "T", "noise": 0.1, "beta": 0.05, "steps": 3},
    ),
    "projections": (
        lambda: widgets.explore_projections(X, np.eye(2), np.eye(2), WORDS),
        {"angle_q": 60, "angle_k": -30, "stretch": 2},
    ),
}


@pytest.fixture(params=EXPLORERS)
def explorer_and_moves(request):
    build, moves = EXPLORERS[request.param]
    return build(), moves


def test_every_control_moves_the_picture_and_the_sentence(explorer_and_moves):
    explorer, moves = explorer_and_moves
    for name, value in moves.items():
        picture, sentence = explorer.image.value, explorer.readout.value
        getattr(explorer.controls, name).value = value
        assert explorer.image.value != picture, name
        assert explorer.readout.value != sentence, name


def test_moving_back_gives_the_first_picture_again(explorer_and_moves):
    explorer, moves = explorer_and_moves
    picture = explorer.image.value
    before = {name: getattr(explorer.controls, name).value for name in moves}
    for values in (moves, before):
        for name, value in values.items():
            getattr(explorer.controls, name).value = value
    assert explorer.image.value == picture


def test_an_explorer_can_be_found_in_a_page_and_moved_by_keys(explorer_and_moves):
    explorer, _ = explorer_and_moves
    assert isinstance(explorer, ipywidgets.VBox)
    assert "attnlib-explorer" in explorer._dom_classes
    assert "attnlib-picture" in explorer.image._dom_classes
    assert "attnlib-readout" in explorer.readout._dom_classes
    assert explorer.image in explorer.children
    assert bytes(explorer.image.value).startswith(b"<svg")
    assert 'role="status"' in explorer.readout.value
    for name, control in vars(explorer.controls).items():
        assert f"attnlib-control-{name}" in control._dom_classes
        assert control.description, name


def test_a_redraw_is_quick_enough_to_follow_a_slider(explorer_and_moves):
    explorer, moves = explorer_and_moves
    name, value = next((name, value) for name, value in moves.items() if not isinstance(value, str))
    control, seconds = getattr(explorer.controls, name), []
    for step in range(5):
        start = time.process_time()
        control.value = value * (1 - step / 10) + step / 20
        seconds.append(time.process_time() - start)
    assert min(seconds) < 0.25  # of a processor, about 0.05: a busy machine must not fail


def test_an_explorer_draws_what_the_static_picture_draws():
    explorer = widgets.explore_context([1, 0.5], KEYS, VALUES, list("abcd"))
    explorer.controls.x.value = -1
    x, y = explorer.controls.x.value, explorer.controls.y.value
    static = plots.context_at([x, y], KEYS, VALUES, list("abcd"))
    assert bytes(explorer.image.value).decode() == static.svg()
    assert explorer.text == static.alt


def test_an_unknown_word_is_explained_and_the_picture_stays():
    explorer = embeddings()
    picture = explorer.image.value
    explorer.controls.start.value = "doctr"
    assert explorer.text == "“doctr” is not among the 3,600 words; try another"
    assert explorer.image.value == picture
    explorer.controls.start.value = " Doctor "
    assert explorer.text.startswith("At doctor.")


def test_an_explorer_of_embeddings_needs_no_second_word():
    explorer = embeddings()
    explorer.controls.end.value = ""
    assert explorer.text.startswith("At doctor.")


def test_what_a_learner_types_is_text_and_not_markup():
    explorer = embeddings()
    explorer.controls.start.value = "<b>bold</b>"
    assert "<b>" not in explorer.readout.value


def test_the_scale_of_a_moved_vector_holds_still():
    explorer = widgets.explore_scores([[1, 2]], KEYS)
    limits = set()
    for length in (0, 1, explorer.controls.length.max):
        explorer.controls.length.value = length
        picture = plots.score_views([[1, 2]], KEYS, angle=0, length=explorer.controls.length.value)
        limits.add(picture.figure.axes[1].get_xlim())
    assert len(limits) == 1


def test_controls_moved_at_the_same_time_end_in_the_newest_picture():
    drawn = []

    def draw(a, b):
        time.sleep(0.01)
        drawn.append((a, b))
        return plots.weight_bars([a, b])

    explorer = Explorer(draw, {"a": slider("a", 0, 0, 1), "b": slider("b", 0, 0, 1)})
    values = np.linspace(0.1, 1, 7)

    def move(name):
        for value in values:
            getattr(explorer.controls, name).value = value

    threads = [threading.Thread(target=move, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert drawn[-1] == (1.0, 1.0)
    assert explorer.text == plots.weight_bars([1, 1]).alt
    assert len(drawn) == len(set(drawn))


def test_a_word_that_the_real_model_lacks_is_named_and_the_picture_stays():
    explorer = widgets.explore_heads(real_heads, "The cat sat")
    picture = explorer.image.value
    explorer.controls.text.value = "The axolotl sat"
    assert "axolotl" in explorer.text
    assert explorer.image.value == picture
    explorer.controls.text.value = "The dog sat"
    assert "“[CLS]” attends to" in explorer.text


def test_a_layer_that_is_not_written_yet_is_told_in_words():
    explorer = widgets.explore_heads(lambda text: None, "The cat sat")
    assert explorer.text.startswith("TypeError: ")


def test_the_sliders_of_an_explorer_of_heads_reach_as_far_as_the_sentence():
    explorer = widgets.explore_heads(real_heads, "The cat sat", token=4)
    assert (explorer.controls.head.max, explorer.controls.token.max) == (11, 4)
    explorer.controls.text.value = "Cats"
    assert (explorer.controls.token.value, explorer.controls.token.max) == (2, 2)
    assert "“[SEP]” attends to" in explorer.text
