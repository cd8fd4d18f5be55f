import numpy as np
import pytest

from attnlib import causal_mask, cross_entropy, load_induction_model, multi_head_attention, random_repeats

TOY, TRAP = load_induction_model(), load_induction_model(trapped=True)


def run(model, ids, cut=()):
    """Logits, and the weights of each layer; heads in `cut` add nothing."""
    X, found = model["embedding"][ids] + model["positions"][: ids.shape[1]], []
    for i, layer in enumerate(model["layers"]):
        layer = layer | {"W_o": layer["W_o"].copy()}
        for head in (head for place, head in cut if place == i):
            layer["W_o"][32 * head : 32 * (head + 1)] = 0
        context, weights = multi_head_attention(
            X, X, num_heads=model["num_heads"], mask=causal_mask(len(X[0])), **layer
        )
        X = X + context
        found.append(weights)
    return X @ model["unembedding"], found


def ids_of(period):
    return random_repeats(np.random.default_rng(period), 64, period)


def loss(model, period=24, cut=(), first=False):
    """Loss in the second copy from its second letter on, or in the first copy."""
    ids = ids_of(period)
    logits, _ = run(model, ids, cut)
    at = slice(0, period) if first else slice(period + 1, 2 * period)
    return cross_entropy(logits[:, at].reshape(-1, 33), ids[:, 1:][:, at].ravel())


def induction(model, period):
    """For each layer and head, the mean weight on what came after the same letter."""
    _, weights = run(model, ids_of(period))
    t = np.arange(period + 1, 2 * period + 1)
    return np.array([W[:, :, t, t - period + 1].mean(axis=(0, 2)) for W in weights])


def previous(model):
    _, weights = run(model, ids_of(24))
    t = np.arange(1, 49)
    return np.array([W[:, :, t, t - 1].mean(axis=(0, 2)) for W in weights])


def test_the_second_copy_is_known_and_the_first_cannot_be():
    assert abs(loss(TOY, first=True) - np.log(32)) < 0.05
    assert loss(TOY) < 0.15
    ids = ids_of(24)
    right = run(TOY, ids)[0][:, 25:-1].argmax(axis=-1) == ids[:, 26:]
    assert right.mean() > 0.97


def test_one_head_looks_one_back_and_two_look_at_what_came_after():
    assert previous(TOY)[0].max() > 0.9
    assert previous(TOY)[0].min() < 0.3
    assert induction(TOY, 24)[1].max() > 0.6
    assert induction(TOY, 24)[0].max() < 0.2
    assert induction(TOY, 12)[1].max() > 0.5


def test_no_head_of_the_circuit_is_known_by_a_number_that_all_slips_give():
    head = int(previous(TOY)[0].argmax())
    assert head == 1  # [0, 0] reads the same backwards, and is what the largest of nothing but zeros is


def test_without_the_circuit_nothing_is_left():
    head = int(previous(TOY)[0].argmax())
    assert loss(TOY, cut=[(0, head)]) > 3
    assert loss(TOY, cut=[(1, 0), (1, 1)]) > 3
    assert loss(TOY, cut=[(0, 1 - head)]) < loss(TOY, cut=[(0, head)]) - 1


def test_it_found_a_way_by_content():
    assert loss(TOY, 18) < 0.3
    assert loss(TOY, 12) < 0.8


def test_the_heads_of_the_trap_score_high_at_one_distance_only():
    assert induction(TRAP, 24).max() > 0.65
    assert induction(TRAP, 12).max() < 0.2
    assert loss(TRAP, 24) < 1
    assert loss(TRAP, 12) > 2.5


def test_what_came_about_is_told_step_by_step():
    emergence = TOY["emergence"]
    assert set(emergence) == {"step", "loss", "previous", "induction"}
    assert {array.shape for array in emergence.values()} == {(51,)}
    assert emergence["step"].tolist() == list(range(0, 2501, 50))
    assert emergence["loss"][0] > 3.3
    assert abs(emergence["loss"][-1] - loss(TOY)) < 0.05
    assert abs(emergence["previous"][-1] - previous(TOY)[0].max()) < 0.05
    assert abs(emergence["induction"][-1] - induction(TOY, 24)[1].max()) < 0.05
    assert "emergence" not in TRAP


def test_the_models_have_the_sizes_they_are_said_to_have():
    for model, layers in ((TOY, 2), (TRAP, 1)):
        assert model["num_heads"] == 2
        assert [{name: W.shape for name, W in layer.items()} for layer in model["layers"]] == [
            dict.fromkeys(("W_q", "W_k", "W_v", "W_o"), (64, 64))
        ] * layers
        sizes = {name: model[name].shape for name in ("embedding", "positions", "unembedding")}
        assert sizes == {"embedding": (33, 64), "positions": (49, 64), "unembedding": (64, 33)}
        arrays = [model["embedding"], model["positions"], *model["layers"][0].values()]
        assert all(array.dtype == np.float32 and not array.flags.writeable for array in arrays)


def test_what_is_loaded_can_be_changed_without_harm():
    for trapped in (False, True):
        model = load_induction_model(trapped)
        model["layers"][0]["W_q"] = model["embedding"] = 0
        assert load_induction_model(trapped)["layers"][0]["W_q"].shape == (64, 64)
        assert load_induction_model(trapped)["embedding"].shape == (33, 64)
    load_induction_model()["emergence"].clear()
    assert len(load_induction_model()["emergence"]) == 4


def test_letters_come_twice():
    ids = random_repeats(np.random.default_rng(0), 500, 3)
    assert ids.shape == (500, 7)
    assert (ids[:, 0] == 0).all()
    assert np.array_equal(ids[:, 1:4], ids[:, 4:])
    assert set(ids[:, 1:].ravel()) == set(range(1, 33))
    assert np.array_equal(ids, random_repeats(np.random.default_rng(0), 500, 3))
    assert random_repeats(np.random.default_rng(0), 1).shape == (1, 49)
    with pytest.raises(ValueError, match="period"):
        random_repeats(np.random.default_rng(0), 1, 25)
    with pytest.raises(ValueError, match="n must"):
        random_repeats(np.random.default_rng(0), 0)
    with pytest.raises(TypeError, match="period"):
        random_repeats(np.random.default_rng(0), 1, 2.5)
