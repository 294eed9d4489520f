"""A language model of 260 bytes' worth of words and random weights, as a GGUF file that llama.cpp runs.

    python tests/llm/tiny_gguf.py tiny.gguf

Its vocabulary is the 256 bytes and three marks, so that it can write any text and says nothing. One direction of its
embeddings is the same for every token, and the output weighs it: this makes quotes, brackets and the end of a reply
likelier than other bytes, or what a grammar lets it write would rarely come to an end.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import gguf
import numpy as np

_WIDTH, _HEADS, _INNER, _LAYERS = 32, 2, 64, 1
_TRAINED = 32_768  # tokens of context that the file claims
_MARKS = ("<unk>", "<s>", "</s>")
_END = 2
_LIKELY = {ord(mark): 6.0 for mark in '"}]'} | {ord(","): 3.0, ord(" "): 4.0}
_TEMPLATE = "{% for message in messages %}<{{ message.role }}>{{ message.content }}\n{% endfor %}<assistant>"


def write(path: Path, seed: int = 7) -> None:
    """The file, the same bytes for the same seed."""
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_name("tiny")
    writer.add_context_length(_TRAINED)
    writer.add_embedding_length(_WIDTH)
    writer.add_block_count(_LAYERS)
    writer.add_feed_forward_length(_INNER)
    writer.add_head_count(_HEADS)
    writer.add_head_count_kv(_HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(_WIDTH // _HEADS)
    _vocabulary(writer)
    for name, weights in _weights(seed).items():
        writer.add_tensor(name, weights)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _vocabulary(writer: gguf.GGUFWriter) -> None:
    kinds = gguf.TokenType
    tokens = [*_MARKS, *(f"<0x{byte:02X}>" for byte in range(256))]
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types([kinds.UNKNOWN, kinds.CONTROL, kinds.CONTROL, *[kinds.BYTE] * 256])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(_END)
    writer.add_unk_token_id(0)
    writer.add_add_bos_token(True)
    writer.add_add_space_prefix(False)
    writer.add_chat_template(_TEMPLATE)


def _weights(seed: int) -> Mapping[str, np.ndarray]:
    random = np.random.default_rng(seed)

    def some(*shape: int, scale: float = 0.1) -> np.ndarray:
        return (random.standard_normal(shape) * scale).astype(np.float32)

    count = len(_MARKS) + 256
    tokens, output = some(count, _WIDTH, scale=0.5), some(count, _WIDTH, scale=0.5)
    tokens[:, 0] = 4.0  # the direction that all of them share
    output[:, 0] = 0.0
    for byte, weight in _LIKELY.items():
        output[len(_MARKS) + byte, 0] = weight / 2
    output[_END, 0] = 2.2
    weights = {"token_embd.weight": tokens, "output.weight": output, "output_norm.weight": np.ones(_WIDTH, np.float32)}
    for layer in range(_LAYERS):
        for part in ("attn_q", "attn_k", "attn_v", "attn_output"):
            weights[f"blk.{layer}.{part}.weight"] = some(_WIDTH, _WIDTH)
        weights[f"blk.{layer}.ffn_gate.weight"] = some(_INNER, _WIDTH)
        weights[f"blk.{layer}.ffn_up.weight"] = some(_INNER, _WIDTH)
        weights[f"blk.{layer}.ffn_down.weight"] = some(_WIDTH, _INNER)
        for norm in ("attn_norm", "ffn_norm"):
            weights[f"blk.{layer}.{norm}.weight"] = np.ones(_WIDTH, np.float32)
    return weights


if __name__ == "__main__":
    write(Path(sys.argv[1]))
