"""Pictures: what they say, that nothing on them is cut off, and the small algorithms behind them."""

import base64
import html
import itertools
import re
import subprocess
import sys

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PatchCollection
from matplotlib.colors import to_hex, to_rgb
from matplotlib.text import Text

import attnlib
from attnlib import plots, widgets
from attnlib.plots import style
from attnlib.plots.context_vectors import inside_hull
from attnlib.plots.labels import place_labels
from attnlib.plots.scores import nearest_by_measure
from attnlib.plots.start_here import last_word_weights

WORDS = ["The", "cat", "sat"]
X = np.array([[0.2, 0.5], [0.8, 0.1], [0.3, 0.9]])
WEIGHTS = attnlib.softmax(X @ X.T)
MONEY_SENTENCE = np.array([[0.0, 3.0], [0.0, 0.0], [0.0, 0.0], [1.0, 1.0]])
LONG = ["unbelievably", "neighbourhood", "extraordinary", "communication", "understanding"]


@pytest.fixture(scope="module")
def word_vectors():
    return attnlib.load_word_vectors()


def numbers(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape)


PICTURES = {
    "legend": lambda: plots.role_legend(*plots.ROLES),
    "road map": plots.road_map,
    "road map from the start": lambda: plots.road_map("0-start-here/start-here"),
    "road map to the end": lambda: plots.road_map("3-multi-head/5-multi-head"),
    "progress": lambda: plots.progress_chart([("1-nearest-neighbours", 3, 7, 8.5, 20), ("start-here", 1, 1, 1, 1)]),
    "progress with a library": lambda: plots.progress_chart(
        [("start-here", 1, 1, 1, 1)], [(0, "recall", "mine"), (1, "softmax", "off"), (1, "dot_scores", "course")]
    ),
    "progress before anything": lambda: plots.progress_chart([]),
    "last words": lambda: plots.last_words(["river", "hospital", "cat"], beginning="They sat on the bank of the"),
    "a token in context": lambda: plots.in_context(["money", "in", "the", "bank"], MONEY_SENTENCE, "bank"),
    "a token in context, among long words": lambda: plots.in_context(LONG[:3], X, LONG[1], ("unbelievable", "known")),
    "a token that moved": lambda: plots.moved([1, 1], {"river": [2, 0], "money": [0, 2]}, {"river": [3, 0]}),
    "a token that has not moved yet": lambda: plots.moved([1, 1], None, {"river": [3, 0], "money": [0, 3]}),
    "scores": lambda: plots.heat_map(X @ X.T - 0.5, WORDS, WORDS, title="Scores", highlight=[(0, 1)]),
    "one row": lambda: plots.heat_map([[5, 2, 5]], ["q"], title="A long title over a small matrix of scores"),
    "weights of long words": lambda: plots.heat_map(attnlib.softmax(numbers(1, 5, 5)), LONG, LONG, role="weights"),
    "a large matrix": lambda: plots.heat_map(numbers(2, 31, 29), title="Too many numbers to write"),
    "infinite scores": lambda: plots.heat_map([[0.0, -np.inf]], row_axis="", column_axis=""),
    "an equation of long words": lambda: plots.equation(
        plots.Matrix(numbers(3, 5, 5), "scores", rows=LONG, columns=LONG),
        "softmax, row by row",
        plots.Matrix(attnlib.softmax(numbers(3, 5, 5)), "weights", "weights", columns=LONG),
        title="Scores become weights",
    ),
    "score matrix": lambda: plots.score_matrix(X, X, WORDS, WORDS),
    "look-up": lambda: plots.lookup([2, 0], numbers(4, 3, 5), ["sat", "the"], ["the", "cat", "sat"]),
    "cosines": lambda: plots.cosine_histogram(np.tanh(numbers(4, 500) / 9), {"cat and dog": 0.61, "sat and The": 0.1}),
    "three stages": lambda: plots.three_stages(X, X, X, WORDS, WORDS, title="The cat sat"),
    "three stages of long words": lambda: plots.three_stages(X[:2], X, numbers(5, 3, 4), LONG[:2], LONG[:3]),
    "arrows": lambda: plots.arrows(X, WORDS, ["query", "key", "value"], title="Three words"),
    "a zero arrow": lambda: plots.arrows([[0, 0]]),
    "tie": lambda: plots.tie([1, 2], [[1, 2], [2, 0], [-1, 3]]),
    "score views of a query": lambda: plots.score_views([[1, 2]], [[1, 2], [2, 0], [-1, 3]], angle=200, length=5),
    "score views of a key": lambda: plots.score_views(X, X, LONG[:3], LONG[:3], move="key", index=1, length=2),
    "word map": lambda: plots.word_map(LONG, numbers(6, 5, 7), groups=list("aabbc"), title="Words", highlight=LONG[:1]),
    "weights": lambda: plots.weight_bars([0.2, 0.1, 0.2, 0.1, 0.4], LONG, title="play asks"),
    "weights of long words as bars": lambda: plots.weight_bars(attnlib.softmax(numbers(7, 5)), LONG),
    "softmax steps": lambda: plots.softmax_steps([2, 1, -0.5], WORDS, temperature=0.5),
    "temperatures": lambda: plots.temperature_family([2, 1, -0.5], LONG[:3]),
    "softmax at a temperature": lambda: plots.softmax_at([2, 1, -3], 0.3, LONG[:3]),
    "entropies": lambda: plots.entropy_gallery([[1, 0, 0], [0.5, 0.3, 0.2]], WORDS, ["certain", "open"]),
    "entropy curve": lambda: plots.entropy_curve([2, 1, -0.5], mark=1),
    "hull": lambda: plots.hull_map(X, WEIGHTS @ X, WORDS, ["c(The)", "c(cat)", "c(sat)"], title="Inside"),
    "weighted sum": lambda: plots.weighted_sum(WEIGHTS[0], X, WORDS, title="The collects"),
    "context": lambda: plots.context_at([1, 0.5], X, X, LONG[:3]),
    "moved by sentences": lambda: plots.moved_by(
        "cat", [WORDS, WORDS[:2]], LONG[:2], {w: i for i, w in enumerate(WORDS + LONG)}, numbers(21, 8, 3)
    ),
    "shares": lambda: plots.share_curves([1, 5, 20], {"a": [1, 0.5, 0], "b": [1, 1, 1]}, x_name="words", title="Right"),
    "alignment": lambda: plots.alignment(attnlib.softmax(numbers(11, 5, 3)), LONG, WORDS, title="Two sentences"),
    "alignment of one word": lambda: plots.alignment_at(WORDS, LONG, numbers(12, 3, 7), numbers(13, 5, 7), word=1),
    "whose numbers a head holds": lambda: plots.head_cells(
        np.arange(30).reshape(5, 6), {"sliced": np.arange(30).reshape(5, 3, 2).swapaxes(0, 1)}, LONG
    ),
    "the way through two heads": lambda: plots.head_path(numbers(18, 3, 4), *numbers(19, 4, 4, 4), 2, WORDS),
    "the way through three heads": lambda: plots.head_path(numbers(20, 5, 6), *numbers(21, 4, 6, 6), 3, LONG),
    "all of multi-head attention": lambda: plots.multi_head_map(
        numbers(22, 5, 6), *numbers(23, 4, 6, 6), 3, LONG, token=3
    ),
    "all of one head": lambda: plots.multi_head_map(X, *numbers(24, 4, 2, 2), 1),
    "a real model with its paths cut": lambda: plots.cut_model("the dog chased the cat"),
    "what the sublayers of a real model add": lambda: plots.added_lengths("the dog chased the cat"),
    "two kinds of block": lambda: plots.two_blocks(),
    "depth": lambda: plots.depth_at(3, units=False, norm="before"),
    "meanings": lambda: plots.sense_maps(numbers(50, 12, 7, 5), LONG[:2], "bank", numbers(51, 7, 5)),
    "meanings after a layer": lambda: plots.sense_map_at(numbers(50, 12, 7, 5), LONG[:2], "bank", 3),
    "who calls whom": lambda: plots.who_calls_whom(
        [(LONG[0], WORDS[0]), (LONG[0], WORDS[1]), (WORDS[1], WORDS[2])], WORDS[:1]
    ),
    "curves": lambda: plots.curves({name: numbers(40 + i, 7) for i, name in enumerate(LONG[:5])}, x_label="layers"),
    "a head as a map": lambda: plots.head_as_map(
        X, *numbers(25, 3, 2, 1), numbers(26, 1, 2), WORDS, coordinates=LONG[:2], token=1
    ),
    "a head as a large map": lambda: plots.head_as_map(numbers(27, 7, 9), *numbers(28, 3, 9, 2), numbers(29, 2, 9)),
    "many heads": lambda: plots.head_gallery(attnlib.softmax(numbers(14, 7, 5, 5)), LONG),
    "a few heads": lambda: plots.head_gallery(attnlib.softmax(numbers(15, 5, 3, 3)), WORDS, [4, 1], titles=list("ab")),
    "one head": lambda: plots.head_at(attnlib.softmax(numbers(16, 2, 5, 5)), LONG, head=1, token=3),
    "one head on many words": lambda: plots.head_at(attnlib.softmax(numbers(17, 2, 23, 23)), 4 * LONG + WORDS),
    "bells": lambda: plots.gaussian_bells((0.5, 1, 2), title="Gaussian kernels"),
    "kernel regression": lambda: plots.kernel_regression(*attnlib.load_nile(), 1.7, 1913, x_name="year", y_name="flow"),
    "kernel regression out of reach": lambda: plots.kernel_regression([0, 1, 9], [3, 1, 2], 0.01, 4.5),
    "leave one out": lambda: plots.leave_one_out_curve([0, 1, 2, 5], [5, 3, 4, 9], [0.5, 1, 2], unit="km", title="Fit"),
    "score spread": lambda: plots.score_spread({"d_k = 2": numbers(8, 50), "d_k = 512": 9 * numbers(9, 50)}, title="Q"),
    "scaling": lambda: plots.scaling_at(512, 8),
    "scaling of many keys": lambda: plots.scaling_at(2, 12),
    "a head learns": lambda: plots.head_learning(numbers(9, 4, 5, 10), [0, 20, 60, 300], "ABCDE", WORDS * 3 + ["x"]),
    "a head learns little": lambda: plots.head_learning(numbers(9, 1, 3, 3), [7], WORDS, WORDS, title="Once"),
    "a head that learns": lambda: plots.learning_at(
        {"with": numbers(9, 4, 5, 10), "without": 30 * numbers(8, 4, 5, 10)}, 2, list("ABCDE"), WORDS * 3 + ["x"], 2
    ),
    "training": lambda: plots.training_curves(
        {"with": numbers(8, 3, 300) ** 2, "without": numbers(9, 6, 300) ** 2}, baseline=("the mean", 0.8), title="Q"
    ),
    "a game of recall": lambda: plots.recall_at(
        "right", 20, 0.5, numbers(9, 3, 5), numbers(8, 5, 2), [(0, 1), (2, 0)], 1, "ABC", "01"
    ),
    "neighbours": lambda: plots.neighbors_at([0.5, 0.2], numbers(11, 5, 2), 2, 0.5, LONG),
    "neighbour lists": lambda: plots.neighbor_lists(LONG, numbers(12, 5, 7), LONG[0], k=3),
    "neighbour weights": lambda: plots.weight_bars(plots.neighbor_weights(X[0], X, 2, 1.0), WORDS),
    "letters": lambda: plots.pixel_pictures(plots.pixel_letters("ABCDEFGHIJKLMNOPQRSTUVWXYZ")[::3], title="Letters"),
    "a grey picture": lambda: plots.pixel_pictures(numbers(13, 1, 9), ["communication"]),
    "recall": lambda: plots.recall_steps(plots.pixel_letters("ATXLO"), 1, 0.3, 0.05, 5, LONG),
    "no recall": lambda: plots.recall_steps([plots.flip_pixels(plots.pixel_letters("O")[0], 0.1)], steps=0),
    "capacity": lambda: plots.recall_capacity(betas=(0.25,), counts=(2, 256), trials=5),
    "capacity by width": lambda: plots.recall_capacity((32, 128), betas=(1,), counts=(2, 256), trials=5),
    "two roads": lambda: plots.two_roads(["the", *LONG]),
    "reach": lambda: plots.reach_curves({"RNN": [1e-9, 0.1, 1.0], "attention": [0.3, 0.3, 0.3]}, title="How far"),
    "explanations": lambda: plots.explanations(
        LONG, {"weights": numbers(70, len(LONG)) ** 2, "contributions": numbers(71, len(LONG)) ** 2}, asking=1
    ),
    "explanations of an explorer": lambda: plots.explanations_at(1, 9, 5),
    "reach of an explorer": lambda: plots.reach_at([1.2, -0.6, 0.4, 0.9, -2], 1.6, 4, at=4),
    "cost": lambda: plots.cost_at(3, 12, 5, 2**20),
    "recall rates": lambda: plots.weight_bars(
        [plots.recall_rate(4, 64, 0.3, 1.0), plots.recall_rate(4, 64, 0.3, None)]
    ),
    "three views": lambda: plots.views_at([0.3, 1], numbers(14, 5, 2), [1, 2, 3, 4, 5], 0.1, LONG, unit=" °C"),
    "three roles": lambda: plots.three_roles(
        X, *numbers(11, 3, 2, 3), WORDS, coordinates=["width", "height"], title="Three roles"
    ),
    "singular values": lambda: plots.singular_values([X, np.eye(5)], ["a few numbers", "ones"], title="Two tables"),
    "projected scores": lambda: plots.projected_scores(X, np.eye(2), np.eye(2), LONG[:3], angle_q=70, stretch_q=2),
    "masks": lambda: plots.mask_gallery(
        [attnlib.causal_mask(5), attnlib.padding_mask([3], 5)[0]], ["causal", "padding"], LONG
    ),
    "masked weights": lambda: plots.masked_weights(X @ X.T, attnlib.causal_mask(3), LONG[:3], LONG[:3], title="Masked"),
    "masked weights with nothing to attend to": lambda: plots.masked_weights([[1, 2]], [[False, False]]),
    "leaks": lambda: plots.leak_map(lambda X: X + X.mean(axis=0), WORDS, title="Everyone sees all"),
    "no leaks": lambda: plots.leak_map(np.tanh),
    "position vectors": lambda: plots.position_table(numbers(30, 7, 4)),
    "two places": lambda: plots.position_clock(23, 0, base=50.0),
}


#: Every third is drawn in the everyday tests.
SOME = [pytest.param(name, marks=[pytest.mark.more] if i % 3 else []) for i, name in enumerate(PICTURES)]


@pytest.fixture(params=SOME, scope="module")
def picture(request):
    return PICTURES[request.param]()


@pytest.fixture(scope="module")
def drawn(picture):
    return with_places(picture)


def with_places(picture):
    """Draw a picture; returns it with what knows where everything stands."""
    canvas = FigureCanvasAgg(picture.figure)
    canvas.draw()
    return picture, canvas.get_renderer()


def test_every_picture_says_in_words_what_it_shows(picture):
    assert isinstance(picture, plots.Picture)
    assert repr(picture) == picture.alt
    assert len(picture.alt) > 15
    assert "nan" not in picture.alt


def test_no_text_is_cut_off(drawn):
    picture, renderer = drawn
    sheet = picture.figure.bbox
    for axes in picture.figure.axes:
        # An axis that is switched off still has its tick labels, which are not drawn.
        hidden = [] if axes.axison else [*axes.xaxis.findobj(Text), *axes.yaxis.findobj(Text)]
        for text in axes.findobj(Text):
            if text.get_text().strip() and text not in hidden:
                box = text.get_window_extent(renderer)
                inside = box.x0 >= -1 and box.y0 >= -1 and box.x1 <= sheet.x1 + 1 and box.y1 <= sheet.y1 + 1
                assert inside, f"{text.get_text()!r} at {box} on a sheet of {sheet.size}"


def test_no_grid_of_cells_is_cut_off(drawn):
    picture, _ = drawn
    for grid in picture.figure.findobj(PatchCollection):
        corners = np.concatenate([grid.get_transform().transform(cell.vertices) for cell in grid.get_paths()])
        assert corners.min() >= -1, corners
        assert (corners <= picture.figure.bbox.max + 1).all(), corners


def test_every_public_function_that_draws_is_tried_here(word_vectors):
    drawn = "".join(str(function.__code__.co_names) for function in PICTURES.values() if hasattr(function, "__code__"))
    others = {"Matrix", "Picture", "ROLES", "principal_axes", "convex_hull", "road_map", "word_walk"}
    public = {name for name, value in vars(plots).items() if callable(value) and not name.startswith("_")}
    assert {name for name in public - others if f"'{name}'" not in drawn} == set()


def test_a_picture_is_an_image_with_its_text_alternative():
    picture = plots.heat_map([[1.0]], ['"quoted" & <b>'])
    bundle = picture._repr_mimebundle_()
    assert bundle["text/plain"] == picture.alt
    alt = re.search(r'alt="([^"]*)"', bundle["text/html"]).group(1)
    assert html.unescape(alt) == picture.alt
    data = re.search(r"base64,([^\"]*)", bundle["text/html"]).group(1)
    assert base64.b64decode(data).decode() == picture.svg()


def test_the_same_picture_is_the_same_file():
    assert PICTURES["tie"]().svg() == PICTURES["tie"]().svg()
    assert PICTURES["tie"]().svg() != plots.tie([1, 2], [[1, 2], [2, 0.1], [-1, 3]]).svg()


def test_a_picture_is_saved_by_the_ending_of_its_name(tmp_path):
    picture = plots.role_legend()
    picture.save(tmp_path / "legend.svg")
    picture.save(tmp_path / "legend.png")
    assert (tmp_path / "legend.svg").read_text(encoding="utf-8") == picture.svg()
    assert (tmp_path / "legend.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ValueError, match=r"path must end in .* got legend\.jpg"):
        picture.save(tmp_path / "legend.jpg")


def test_drawing_leaves_pyplot_alone_and_attnlib_leaves_drawing_alone():
    code = (
        "import sys, attnlib; assert 'matplotlib' not in sys.modules and 'ipywidgets' not in sys.modules\n"
        "from attnlib import plots; plots.tie([1, 2], [[1, 2], [2, 0]]).svg()\n"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def texts_of(picture):
    return [text.get_text() for text in picture.figure.findobj(Text) if text.get_text()]


def test_every_number_of_a_heat_map_is_written_in_its_cell():
    scores = X @ X.T
    written = texts_of(plots.heat_map(scores, WORDS, WORDS))
    assert [t for t in written if t[0].isdigit()] == [f"{x:.2f}" for x in scores.ravel()]


def test_a_negative_number_has_a_minus_sign_and_zero_has_none():
    assert style.number(-1.5) == "\N{MINUS SIGN}1.50"
    assert style.number(-0.001) == "0.00"
    assert style.number(-np.inf) == "\N{MINUS SIGN}\N{INFINITY}"


def luminance(color):
    c = np.array(to_rgb(color))
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722]


def contrast(a, b):
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_words_in_a_role_s_ink_stand_out_from_white_paper():
    inks = [role.ink for role in plots.ROLES.values()] + [style.INK, style.MUTED]
    assert min(contrast(ink, style.PAPER) for ink in inks) >= 4.5  # WCAG 2.1, level AA


@pytest.mark.parametrize("page", ["light", "dark"])
@pytest.mark.parametrize("role", plots.ROLES)
def test_numbers_stand_out_from_their_cells(role, page):
    seen = style.dark if page == "dark" else str
    values = np.linspace(0 if role == "weights" else -1, 1, 301)[None]
    for color in map(to_hex, style.cell_colors(values, role)[0]):
        assert contrast(seen(style.text_on(color)), seen(color)) >= 4.5


@pytest.mark.parametrize("role", plots.ROLES)
def test_no_cell_has_the_colour_of_ink(role):
    # Ink has a counterpart of its own in a dark page: such a cell would be a hole.
    cells = set(map(to_hex, style.cell_colors(np.linspace(-1, 1, 5001)[None], role)[0]))
    inks = {style.text_on(color).lower() for color in ("#000000", "#ffffff")}
    assert len(inks) == 2
    assert not cells & inks


@pytest.mark.parametrize("role", [role for role in plots.ROLES if role != "weights"])
def test_a_number_and_its_negative_look_different(role):
    for size in (0.5, 1.0):
        one, other = style.cell_colors(np.array([[size, -size, 1.0]]), role)[0, :2]
        assert np.abs(one - other).max() > 0.1


def test_what_is_black_turns_white_in_a_dark_page():
    # Matplotlib leaves the colour of black text out: without a rule it would be black on dark paper.
    svg = plots.heat_map([[0.0]]).svg()
    black = re.search(r"(--c\d+):#000000", svg)[1]
    assert f"fill:var({black})" in svg.partition("</style>")[0]
    assert re.search(r"prefers-color-scheme: dark\){svg{(.*?)}", svg)[1].count(f"{black}:#ffffff") == 1


@pytest.mark.parametrize(
    ("keys", "title"),
    [
        ([[1, 2], [-1, 3]], "Same score, different distance"),
        ([[2, 2], [0, 2]], "Same distance, different score"),
        ([[1, 2], [2, 0]], "Dot product and distance"),
        ([[2, 2], [0, 2], [4, 0]], "Same score, different distance; same distance, different score"),
    ],
)
def test_a_tie_is_called_what_it_is(keys, title):
    q = [1, 1] if keys[0] == [2, 2] else [1, 2]
    assert plots.tie(q, keys).alt.startswith(f"{title}. ")


def test_a_followed_token_must_be_there():
    with pytest.raises(ValueError, match="token must be between 0 and 2; got 3"):
        plots.multi_head_map(X, *numbers(24, 4, 2, 2), 1, token=3)
    with pytest.raises(ValueError, match="token must be between 0 and 2; got -1"):
        plots.head_as_map(X, *numbers(24, 4, 2, 2), token=-1)


def test_the_two_maps_of_a_head_give_what_the_head_gives():
    W_q, W_k, W_v, W_o = numbers(24, 4, 2, 2)
    context, _ = attnlib.scaled_dot_product_attention(X @ W_q, X @ W_k, X @ W_v)
    said = plots.head_as_map(X, W_q, W_k, W_v, W_o, WORDS, token=1).alt
    assert said.endswith(f"cat hears {', '.join(map(style.number, (context @ W_o)[1]))}.")
    assert plots.multi_head_map(X, W_q, W_k, W_v, W_o, 1, WORDS, token=1).alt.count("cat") == 1


def test_a_label_is_not_read_as_that_of_a_point_nearby():
    figure, _ = style.sheet(6, 4)
    axes = style.panel(figure, 0, 0, 6, 4)
    axes.set(xlim=(0, 6), ylim=(0, 4))
    width = style.text_width("cheese", style.TEXT)
    points = np.array([[2.0, 2.0], [2.0 + 0.07 + width + 0.09, 2.0]])  # there is room between them, but whose is it?
    place_labels(axes, points, ["cheese", "soup"])
    cheese = axes.texts[0].get_position()
    assert abs(cheese[0] + width / 2 - points[1, 0]) > 0.13 or abs(cheese[1] - 2) > 0.1


def test_roles_look_different_to_colour_blind_readers():
    # Machado et al. (2009), complete deuteranopia and protanopia, on linear light.
    deuter = np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]])
    protan = np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    )
    colors = np.array([to_rgb(plots.ROLES[name].color) for name in ("query", "key", "value", "context")]) ** 2.2
    for seen in (colors @ deuter.T, colors @ protan.T):
        seen = np.clip(seen, 0, 1) ** (1 / 2.2)
        assert (
            min(np.linalg.norm(a - b) for a, b in itertools.combinations(seen, 2)) > 0.15
        )  # a common red and green: 0.12
    assert len({role.marker for name, role in plots.ROLES.items() if name not in ("scores", "weights")}) == 5


def test_labels_of_crowded_points_do_not_cover_each_other():
    figure, _ = style.sheet(6, 4)
    axes = style.panel(figure, 0.5, 0.5, 5, 3)
    points = numbers(8, 17, 2)
    axes.set(xlim=(-4, 4), ylim=(-4, 4))
    written = place_labels(axes, points, [f"word{i}" for i in range(17)], keep=0)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    boxes = [text.get_window_extent(canvas.get_renderer()).padded(-2) for text in axes.texts]
    assert len(boxes) == len(written) >= 14
    assert not any(a.overlaps(b) for a, b in itertools.combinations(boxes, 2))


def test_a_label_that_must_be_written_is_written_even_where_there_is_no_room():
    figure, _ = style.sheet(1, 1)
    axes = style.panel(figure, 0.1, 0.1, 0.8, 0.8)
    points, texts = np.zeros((40, 2)), ["crowded"] * 40
    assert len(place_labels(axes, points, texts)) == 40
    assert len(place_labels(axes, points, texts, keep=2)) < 40


# The small algorithms


def test_principal_axes_are_those_of_the_covariance():
    X = numbers(9, 31, 7) * np.arange(1, 8)
    mean, axes = plots.principal_axes(X, n=3)
    variances, vectors = np.linalg.eigh(np.cov(X.T))
    np.testing.assert_allclose(mean, X.mean(axis=0))
    np.testing.assert_allclose(np.abs(axes @ vectors[:, ::-1][:, :3]), np.eye(3), atol=1e-9)
    np.testing.assert_allclose(((X - mean) @ axes.T).var(axis=0, ddof=1), variances[::-1][:3])
    assert all(axis[np.abs(axis).argmax()] > 0 for axis in axes)


def test_one_word_alone_can_be_mapped():
    assert plots.principal_axes([[3.0, 4.0, 5.0]], n=2)[1].shape == (2, 3)


def test_a_hull_holds_all_points_and_only_turns_left():
    points = numbers(10, 53, 2)
    corners = plots.convex_hull(points)
    assert {tuple(corner) for corner in corners} <= {tuple(point) for point in points}
    assert all(inside_hull(point, points) for point in points)
    a, b, c = corners, np.roll(corners, -1, axis=0), np.roll(corners, -2, axis=0)
    assert ((b - a)[:, 0] * (c - b)[:, 1] - (b - a)[:, 1] * (c - b)[:, 0] > 0).all()


@pytest.mark.parametrize(
    ("points", "corners"),
    [
        ([[1, 1]], [[1, 1]]),
        ([[1, 1], [1, 1], [1, 1]], [[1, 1]]),
        ([[0, 0], [2, 2], [1, 1]], [[0, 0], [2, 2]]),
        ([[0, 0], [1, 0], [2, 0], [2, 1], [0, 1]], [[0, 0], [2, 0], [2, 1], [0, 1]]),
    ],
)
def test_hulls_of_special_points(points, corners):
    assert plots.convex_hull(points).tolist() == corners


def test_what_lies_outside_a_hull_is_told_from_what_lies_inside():
    assert inside_hull([0.2, 0.2], [[0, 0], [1, 0], [0, 1]])
    assert inside_hull([0.5, 0.5], [[0, 0], [1, 0], [0, 1]])
    assert not inside_hull([0.6, 0.6], [[0, 0], [1, 0], [0, 1]])
    assert inside_hull([1, 1], [[0, 0], [2, 2]])
    assert not inside_hull([3, 3], [[0, 0], [2, 2]])
    assert not inside_hull([1, 1.5], [[0, 0], [2, 2]])


def test_context_vectors_are_drawn_inside_and_other_points_are_called_outside():
    assert "outside" not in plots.hull_map(X, WEIGHTS @ X).alt
    assert "outside" in plots.hull_map(X, [[2, 2]]).alt


def test_a_long_key_wins_by_dot_product_only():
    assert nearest_by_measure([[1, 0.1]], [[1, 0], [5, 5]]) == [[[1], [0], [0]]]


# The real word vectors


def test_the_neighbours_on_the_map_are_those_of_the_cosine(word_vectors):
    vocabulary, E = word_vectors
    said = plots.word_walk(vocabulary, E, "doctor", "hospital", 0.3, k=5).alt
    q = 0.7 * E[vocabulary["doctor"]] + 0.3 * E[vocabulary["hospital"]]
    cosines = E @ q / np.linalg.norm(E, axis=1) / np.linalg.norm(q)
    nearest = [list(vocabulary)[i] for i in np.argsort(-cosines)[:5]]
    assert re.findall(r"(\w+) \d\.\d\d", said) == nearest
    assert said.startswith("30 % of the way from doctor to hospital.")


def test_labels_of_a_word_walk_stay_inside_and_do_not_move(word_vectors):
    vocabulary, E = word_vectors
    places = []
    for t in (0.0, 0.5):
        picture = plots.word_walk(vocabulary, E, "paris", "music", t)
        test_no_text_is_cut_off(with_places(picture))
        plot = picture.figure.axes[1]
        places.append({text.get_text(): text.get_position() for text in plot.texts})
    assert places[0] == places[1]


def test_an_unknown_word_is_named(word_vectors):
    vocabulary, E = word_vectors
    with pytest.raises(ValueError, match="“doctr” is not among the 3,600 words; try another"):
        plots.word_walk(vocabulary, E, "doctr")
    with pytest.raises(ValueError, match="“Doctr” is not among the 3,600 words; try another"):
        widgets.explore_embeddings(vocabulary, E, "Doctr ")


def test_a_token_moves_to_where_its_scores_shares_and_blend_lead():
    powers = np.exp([3, 0, 0, 2])
    blend = powers / powers.sum() @ MONEY_SENTENCE
    alt = plots.in_context(["money", "in", "the", "bank"], MONEY_SENTENCE, "bank").alt
    assert alt.endswith("The blend is ({:.3g}, {:.3g}).".format(*blend.round(2)))
    assert "Scores: money 3, in 0, the 0, bank 2." in alt


def test_the_last_words_are_looked_at_as_the_model_looks():
    """The published model's own weights for the sentence that it was run on."""
    said = next(output for output in attnlib.load_layer_outputs() if output["text"].endswith("bank of the river"))
    looks = said["weights"][4, said["tokens"].index("bank"), said["tokens"].index("river")]
    np.testing.assert_allclose(last_word_weights(["river"]), [looks], atol=1e-5)


# Errors name what was expected and what came


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: plots.arrows(np.zeros((3, 5))), r"vectors must have shape \(n, 2\) .* got shape \(3, 5\)"),
        (lambda: plots.heat_map([1, 2]), r"values must have two axes .* got shape \(2,\)"),
        (lambda: plots.heat_map([[1, 2]], columns=["a"]), "one for each of the 2 columns; got 1"),
        (lambda: plots.heat_map([[1]], role="queries"), "role must be one of token, query, .* got 'queries'"),
        (lambda: plots.weight_bars([[0.5, 0.5]]), r"weights must be one row of numbers.* got shape \(1, 2\)"),
        (lambda: plots.weighted_sum([1], X), r"weights must have shape \(3,\).* got shape \(1,\)"),
        (lambda: plots.word_map(["a"], np.zeros((2, 5))), r"one row for each of the 1 words; got shape \(2, 5\)"),
        (lambda: plots.principal_axes(np.zeros((3, 2)), n=5), "d at least n=5"),
        (lambda: plots.score_views(X, X, move="value"), 'move must be "query" or "key"'),
        (lambda: plots.in_context(["a", "b", "c"], X, "bank"), "asking must be one of the tokens a, b, c; got 'bank'"),
        (lambda: plots.moved([1, 1], [[2, 0]], {}), "ends must be a dict, with a vector for each sentence; got list"),
        (lambda: plots.moved([1, 1], {"river": [1, 2, 3]}, {}), r"river must have shape \(n, 2\)"),
        (lambda: plots.road_map("softmax"), "here must be one of 0-start-here/start-here, .* got 'softmax'"),
    ],
)
def test_an_error_says_what_was_expected_and_what_came(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()


def test_a_long_sentence_names_only_the_largest_weights_of_a_head():
    row = np.arange(23) / np.arange(23).sum()
    picture = plots.head_at(np.tile(row, (1, 23, 1)), [f"w{i}" for i in range(23)])
    numbers_told = [text.get_text() for axes in picture.figure.axes for text in axes.texts if "0." in text.get_text()]
    assert len(numbers_told) == 5
    assert f"{row.max():.2f}" in numbers_told


@pytest.mark.parametrize("role", style.ROLES)
def test_the_colours_of_a_scale_have_no_jump_in_the_dark(role):
    colors = style.cell_colors(np.linspace(-1, 1, 201)[np.newaxis], role)[0]
    shades = [sum(to_rgb(style.dark(to_hex(color)))) for color in colors]
    assert np.abs(np.diff(shades)).max() < 0.25, "three channels, each from 0 to 1, in 200 steps"
