"""Make attnlib/data/encoder.npz and encoder_outputs.npz from a folder that holds all-MiniLM-L6-v2.

    python -m pip install torch transformers
    python scripts/make_word_vectors.py model
    python scripts/make_encoder.py model

The first file holds the weights of all six layers. A matrix is rounded to whole numbers from -127 to 127, with a scale
for each of its columns; biases, norms, and what the input needs, are in half precision. The second file holds what the
model itself, loaded with these rounded weights into transformers' BertModel, makes of sentence_list.txt, and what it
makes of it as it was published. Both are computed in double precision, so that the last digit of what is stored does
not depend on the machine.
"""

import sys

import numpy as np
import torch
from make_word_vectors import DATA, HERE, find
from transformers import AutoModel, AutoTokenizer

POSITIONS = 128
#: So many sentences come with the output of each layer.
WITH_STATES = 2


def linears(layer):
    """Return the linear maps of a layer by the letter or number that they have in the course."""
    attention = layer.attention
    return {
        "q": attention.self.query,
        "k": attention.self.key,
        "v": attention.self.value,
        "o": attention.output.dense,
        "1": layer.intermediate.dense,
        "2": layer.output.dense,
    }


def rounded(W):
    """Return W as int8 and the scale of each column: a projection is (d_out, d_in) in torch, (d_in, d_out) here."""
    W = W.detach().numpy().T.astype(np.float64)
    scale = (np.abs(W).max(axis=0) / 127).astype("<f4")
    return np.ascontiguousarray(np.rint(W / scale).astype("i1")), scale


def halves(tensor):
    return tensor.detach().numpy().astype("<f2")


def encoder_weights(model):
    """Return the arrays by the course's names, those of layer 3, say, with "layer_3_" before them."""
    embeddings = model.embeddings
    arrays = {
        "num_heads": np.array(model.config.num_attention_heads),
        "position_vectors": halves(embeddings.position_embeddings.weight[:POSITIONS]),
        "segment_vector": halves(embeddings.token_type_embeddings.weight[0]),
        "norm_weight": halves(embeddings.LayerNorm.weight),
        "norm_bias": halves(embeddings.LayerNorm.bias),
    }
    for i, layer in enumerate(model.encoder.layer):
        for name, linear in linears(layer).items():
            W, scale = rounded(linear.weight)
            arrays |= {f"layer_{i}_W_{name}": W, f"layer_{i}_scale_{name}": scale}
            arrays[f"layer_{i}_b_{name}"] = halves(linear.bias)
        for name, norm in {"norm_1": layer.attention.output.LayerNorm, "norm_2": layer.output.LayerNorm}.items():
            arrays[f"layer_{i}_{name}_weight"] = halves(norm.weight)
            arrays[f"layer_{i}_{name}_bias"] = halves(norm.bias)
    return arrays


def put_back(model, arrays):
    """Round all of the model to half precision, and give its matrices what `arrays` makes of them."""
    model.half().double()
    with torch.no_grad():
        for i, layer in enumerate(model.encoder.layer):
            for name, linear in linears(layer).items():
                W = arrays[f"layer_{i}_W_{name}"].astype(np.float32) * arrays[f"layer_{i}_scale_{name}"]
                linear.weight.copy_(torch.from_numpy(W.T.copy()))


def states(model, tokenizer, text):
    """Return the input of the first layer and the output of each, (7, n, 384)."""
    with torch.no_grad():
        return np.stack(model(**tokenizer(text, return_tensors="pt"), output_hidden_states=True).hidden_states)[:, 0]


def sentence_vectors(model, tokenizer, texts):
    """Return the mean of each sentence's last states, of length 1."""
    means = np.array([states(model, tokenizer, text)[-1].mean(axis=0) for text in texts])
    return means / np.linalg.norm(means, axis=1, keepdims=True)


def main(folder):
    folder = find(folder, "model.safetensors").parent
    model = AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    lines = (HERE / "sentence_list.txt").read_text(encoding="utf-8").splitlines()
    texts = [line for line in lines if line and not line.startswith("#")]
    words = {word for name in ("words.txt", "more_words.txt") for word in (DATA / name).read_text("utf-8").split()}
    if missing := {word for text in texts for word in tokenizer.tokenize(text)} - words:
        raise SystemExit(f"neither in words.txt nor in more_words.txt: {' '.join(sorted(missing))}")

    arrays = encoder_weights(model)
    np.savez_compressed(DATA / "encoder.npz", **arrays)
    published = sentence_vectors(model.double(), tokenizer, texts)
    put_back(model, arrays)
    vectors = sentence_vectors(model, tokenizer, texts)
    np.savez(
        DATA / "encoder_outputs.npz",
        texts=np.array(texts),
        vectors=vectors.astype("<f4"),
        published=published.astype("<f4"),
        **{f"states_{i}": states(model, tokenizer, texts[i]).astype("<f4") for i in range(WITH_STATES)},
    )
    cosines = (vectors * published).sum(axis=1)
    print(f"{len(texts)} sentences; cosine to the published vectors: {cosines.mean():.5f}, least {cosines.min():.5f}")
    print(*(f"{name}: {(DATA / name).stat().st_size:,} bytes" for name in ("encoder.npz", "encoder_outputs.npz")))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])
