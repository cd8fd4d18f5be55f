import inspect
import subprocess
import sys

import pytest
from courseware import ROOT

import attnlib

CONTRACTS = [
    "tokenize(text)",
    "encode(tokens, vocabulary)",
    "embed(token_ids, E)",
    "one_hot(token_ids, vocab_size)",
    "mean_embedding(X)",
    "dot_scores(Q, K)",
    "cosine_scores(Q, K)",
    "squared_distances(Q, K)",
    "softmax(x)",
    "softmax_with_temperature(x, temperature)",
    "entropy(p)",
    "context_vector(q, K, V)",
    "context_vectors(Q, K, V)",
    "knn_indices(Q, K, k, metric)",
    "knn_attention(Q, K, V, k)",
    "gaussian_kernel(Q, K, bandwidth)",
    "exponential_kernel(Q, K)",
    "kernel_attention(Q, K, V, kernel)",
    "leave_one_out_bandwidth(x, y, bandwidths)",
    "learned_kernel(X, Y, W_q, W_k)",
    "soft_lookup(query, keys, values, beta)",
    "hopfield_update(state, patterns, beta)",
    "hopfield_energy(state, patterns, beta)",
    "linear_memory(keys, values)",
    "safe_beta(patterns, tolerance)",
    "softmax_jacobian(p)",
    "scaled_dot_product_attention(Q, K, V, mask)",
    "project_qkv(X, W_q, W_k, W_v)",
    "self_attention(X, W_q, W_k, W_v)",
    "cross_attention(X_target, X_source, W_q, W_k, W_v, source_mask)",
    "additive_scores(Q, K, W_1, W_2, u)",
    "causal_mask(n)",
    "padding_mask(lengths, n)",
    "masked_softmax(scores, mask)",
    "masked_attention(Q, K, V, mask)",
    "leaks_future(attention)",
    "split_heads(X, num_heads)",
    "merge_heads(X)",
    "multi_head_attention(X_q, X_kv, W_q, W_k, W_v, W_o, num_heads, mask, b_q, b_k, b_v, b_o)",
]


@pytest.mark.parametrize("contract", CONTRACTS)
def test_each_function_of_the_syllabus_takes_the_arguments_of_its_contract(contract):
    name, _, arguments = contract.rstrip(")").partition("(")
    arguments = arguments.split(", ")
    parameters = list(inspect.signature(getattr(attnlib, name)).parameters.values())
    assert [parameter.name for parameter in parameters[: len(arguments)]] == arguments
    assert all(parameter.default is not inspect.Parameter.empty for parameter in parameters[len(arguments) :])


def test_every_public_function_documents_what_it_takes_and_returns_with_an_example():
    functions = [value for name, value in vars(attnlib).items() if inspect.isfunction(value)]
    assert len(functions) >= len(CONTRACTS)
    for function in functions:
        sections = ["Returns\n", "Examples\n"]
        if inspect.signature(function).parameters:
            sections += ["Parameters\n", "Raises\n"]
        assert all(section in function.__doc__ for section in sections), function.__name__


def test_the_types_of_every_public_function_are_said_in_words_that_fit_on_a_line_of_help():
    for function in [value for value in vars(attnlib).values() if inspect.isfunction(value)]:
        signature = inspect.signature(function)
        said = [signature.return_annotation, *(each.annotation for each in signature.parameters.values())]
        assert all(isinstance(each, str) and len(each) < 50 for each in said), function.__name__


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()


def test_importing_the_library_loads_no_drawing_package():
    loaded = run("import sys, attnlib; print(*sys.modules)")
    assert "attnlib.multi_head" in loaded
    assert not {"matplotlib", "ipywidgets", "IPython", "attnlib.plots", "attnlib.widgets"} & set(loaded)


def test_importing_the_library_loads_little_beyond_numpy():
    before = set(run("import sys, numpy; print(*sys.modules)"))
    after = set(run("import sys, numpy, attnlib; print(*sys.modules)"))
    assert {name.split(".")[0] for name in after - before} <= {"attnlib", "numpy"}


@pytest.mark.more
def test_grading_on_one_machine_loads_nothing_of_a_cluster():
    loaded = run("import sys, grader.__main__, grader.classroom.marking; print(*sys.modules)")
    assert "grader.classroom.marking.workers" in loaded
    assert not {"dask", "distributed", "grader.classroom.marking.cluster"} & set(loaded)


@pytest.mark.parametrize(
    "code",
    [
        "import attnlib; f = attnlib.softmax",
        "from attnlib import softmax as f",
        "from attnlib.softmax import softmax as f",
        "import attnlib.softmax; f = attnlib.softmax",
        "import attnlib.scaling; import attnlib; f = attnlib.softmax",
    ],
)
def test_the_name_softmax_is_the_function_however_it_is_imported(code):
    assert run(f"{code}; print(f([[0.0, 0.0]])[0, 0])") == ["0.5"]


@pytest.mark.parametrize("name", ["softmax", "context_vectors", "cross_attention"])
def test_a_name_that_function_and_module_share_is_the_function(name):
    assert run(f"import attnlib.{name}, attnlib.multi_head; print(type(attnlib.{name}).__name__)") == ["function"]


def test_the_module_softmax_gives_its_other_functions():
    assert run("from attnlib.softmax import entropy; import attnlib; print(entropy is attnlib.entropy)") == ["True"]


def test_a_python_without_the_packages_is_told_which_one_has_them():
    said = subprocess.run(
        [sys.executable, "-S", "-m", "grader", "ready", "1"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stderr
    assert "has no numpy" in said
    assert "`make lab`" in said
    assert "During handling" not in said
