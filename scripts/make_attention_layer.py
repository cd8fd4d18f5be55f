"""Make attnlib/data/attention_layer.npz and attention_layer_outputs.npz from a folder that holds all-MiniLM-L6-v2.

    python -m pip install torch transformers
    python scripts/make_word_vectors.py model
    python scripts/make_attention_layer.py model

The first file holds the weights of the model's first self-attention layer, in half precision. The second holds what
the model itself, loaded with these rounded weights into transformers' BertModel, computes there for a few sentences.
It computes in double precision, so that the last digit of what is stored does not depend on the machine.
"""

import sys

import numpy as np
import torch
from make_word_vectors import DATA, find
from transformers import AutoModel, AutoTokenizer

POSITIONS = 128
TEXTS = [
    "The cat sat",
    "I am going to play",
    "The doctor helped the sick child",
    "She deposited money at the bank of the river",
    "The animal did not cross the street because it was too tired",
]


def layer_weights(model):
    """Return the arrays by the course's names; a projection is (d_out, d_in) in torch, (d_in, d_out) here."""
    embeddings, attention = model.embeddings, model.encoder.layer[0].attention
    tensors = {
        "position_embeddings": embeddings.position_embeddings.weight[:POSITIONS],
        "token_type_embeddings": embeddings.token_type_embeddings.weight,
        "norm_weight": embeddings.LayerNorm.weight,
        "norm_bias": embeddings.LayerNorm.bias,
    }
    projections = {
        "q": attention.self.query,
        "k": attention.self.key,
        "v": attention.self.value,
        "o": attention.output.dense,
    }
    for letter, linear in projections.items():
        tensors[f"W_{letter}"] = linear.weight.T
        tensors[f"b_{letter}"] = linear.bias
    return {name: np.ascontiguousarray(tensor.detach().numpy().astype("<f2")) for name, tensor in tensors.items()}


def layer_outputs(model, tokenizer, words):
    """Run the model and catch the output of attention.output.dense, which is before the residual and its LayerNorm."""
    outputs = {"texts": np.array(TEXTS)}
    caught = []
    dense = model.encoder.layer[0].attention.output.dense
    dense.register_forward_hook(lambda module, inputs, output: caught.append(output))
    for i, text in enumerate(TEXTS):
        encoded = tokenizer(text, return_tensors="pt")
        missing = set(tokenizer.convert_ids_to_tokens(encoded["input_ids"][0])) - words
        if missing:
            raise SystemExit(f"not in words.txt: {' '.join(sorted(missing))}")
        caught.clear()
        with torch.no_grad():
            attentions = model(**encoded, output_attentions=True).attentions
        outputs[f"context_{i}"] = caught[0][0].numpy().astype("<f4")
        outputs[f"weights_{i}"] = attentions[0][0].numpy().astype("<f4")
    return outputs


def main(folder):
    folder = find(folder, "model.safetensors").parent
    model = AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    words = set((DATA / "words.txt").read_text(encoding="utf-8").split())

    weights = layer_weights(model)
    np.savez(DATA / "attention_layer.npz", num_heads=model.config.num_attention_heads, **weights)
    outputs = layer_outputs(model.half().double(), tokenizer, words)
    np.savez(DATA / "attention_layer_outputs.npz", **outputs)
    print(f"{sum(array.size for array in weights.values())} weights, {len(TEXTS)} sentences")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])
