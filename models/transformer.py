# SPDX-License-Identifier: MIT
"""The Transformer (Vaswani et al. 2017, arXiv:1706.03762) as PyTorch modules.

The names of the parameters are those of Hugging Face's MarianMT, which are the format's.
What is trained here is one choice of the format's facts (`make_config`): layer norm before
each sublayer and over the last one's output (Xiong et al. 2020, arXiv:2002.04745), ReLU,
the output layer tied to the target embedding, embeddings times the root of the width. The
module itself knows every fact, so that the random models of tests/golden can be checked
with it.

Both families give the trainer the same: `loss`, `forced`, and what `greedy` needs.
"""
import math

import torch
import torch.nn.functional as F
from torch import nn

from network import BOS, EOS, PAD, UNK, output_loss, Translator

ACTIVATIONS = {"relu": F.relu, "gelu": F.gelu, "silu": F.silu,
               "gelu-tanh": lambda x: F.gelu(x, approximate="tanh")}


def make_config(languages, width, ffn, heads, layers, vocabularies, dropout):
    """Every fact of config.json; models/README.md lists them."""
    return dict(
        format="alphascope-transformer", version=1, languages=languages, width=width,
        encoder_layers=layers, decoder_layers=layers, encoder_heads=heads,
        decoder_heads=heads, encoder_ffn=ffn, decoder_ffn=ffn, norm="pre", top_norm=True,
        norm_epsilon=1e-5, activation="relu", embedding_scaled=True,
        positions="sinusoidal-halves", position_offset=0, position_count=0,
        shared_embedding=False, tied=True, output_bias=True, source_eos=True,
        source_vocab=vocabularies[0], target_vocab=vocabularies[1], masked=[],
        dropout=dropout, pad=PAD, bos=BOS, eos=EOS, unk=UNK, start=BOS)


def sinusoids(kind, count, width, dtype=torch.float32):
    """P(0) to P(count - 1): (count, width). Section 3.5, and how programs vary it."""
    half = torch.arange(width // 2, dtype=torch.float64)
    rate = half / (width // 2 - 1) if kind == "sinusoidal-marian" else 2 * half / width
    angle = torch.arange(count, dtype=torch.float64).unsqueeze(1) * 10000 ** -rate
    both = [torch.sin(angle), torch.cos(angle)]
    if kind == "sinusoidal-interleaved":
        return torch.stack(both, 2).flatten(1).to(dtype)
    return torch.cat(both, 1).to(dtype)


class Attention(nn.Module):
    """Heads of scaled dot-product attention (section 3.2)."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (
            nn.Linear(width, width) for _ in range(4))

    def split(self, x):
        """(B, T, d) to (B, H, T, d_k)."""
        batch, length, width = x.shape
        return x.view(batch, length, self.heads, width // self.heads).transpose(1, 2)

    def keys(self, memory):
        """(K, V) of all heads, computed once for what does not change."""
        return (self.split(self.k_proj(memory)).contiguous(),
                self.split(self.v_proj(memory)).contiguous())

    def forward(self, x, keys, mask):
        """(output, alpha (B, H, T, S)); mask: 0 or minus infinity, (B, 1, T or 1, S)."""
        k, v = keys
        q = self.split(self.q_proj(x)) * k.shape[3] ** -0.5
        scores = q @ k.transpose(2, 3)
        alpha = torch.softmax(scores if mask is None else scores + mask, 3)
        return self.out_proj((alpha @ v).transpose(1, 2).reshape(x.shape)), alpha


class Layer(nn.Module):
    """Self-attention, in the decoder attention to the source, then feed-forward."""

    def __init__(self, config, side):
        super().__init__()
        width, heads = config["width"], config[f"{side}_heads"]
        ffn = config[f"{side}_ffn"]
        self.before = config["norm"] == "pre"
        self.activation = ACTIVATIONS[config["activation"]]
        self.self_attn = Attention(width, heads)
        self.self_attn_layer_norm = nn.LayerNorm(width, config["norm_epsilon"])
        if side == "decoder":
            self.encoder_attn = Attention(width, heads)
            self.encoder_attn_layer_norm = nn.LayerNorm(width, config["norm_epsilon"])
        self.fc1, self.fc2 = nn.Linear(width, ffn), nn.Linear(ffn, width)
        self.final_layer_norm = nn.LayerNorm(width, config["norm_epsilon"])
        self.drop = nn.Dropout(config["dropout"])

    def residual(self, x, norm, sublayer):
        if self.before:
            return x + self.drop(sublayer(norm(x)))
        return norm(x + self.drop(sublayer(x)))

    def forward(self, x, mask, memory=None, blocked=None, past=None):
        """(x, alphas, past): past is (K, V) of the positions before x, and returned with
        those of x; memory is (K, V) of the source."""
        alphas, kept = [], []

        def look(x):
            keys = self.self_attn.keys(x)
            if past is not None:
                keys = tuple(torch.cat(pair, 2) for pair in zip(past, keys))
            kept.extend(keys)
            return attend(self.self_attn, x, keys, mask)

        def attend(attention, x, keys, mask):
            out, alpha = attention(x, keys, mask)
            alphas.append(alpha)
            return out
        x = self.residual(x, self.self_attn_layer_norm, look)
        if memory is not None:
            x = self.residual(x, self.encoder_attn_layer_norm,
                              lambda x: attend(self.encoder_attn, x, memory, blocked))
        x = self.residual(x, self.final_layer_norm,
                          lambda x: self.fc2(self.activation(self.fc1(x))))
        return x, alphas, tuple(kept)


class Side(nn.Module):
    """Encoder or decoder: embedding, positions, layers, and a norm on top or none."""

    def __init__(self, config, side):
        super().__init__()
        width, self.offset = config["width"], config["position_offset"]
        self.positions, self.scale = config["positions"], 1.0
        if config["embedding_scaled"]:
            self.scale = math.sqrt(width)
        if not config["shared_embedding"]:
            vocab = config["source_vocab" if side == "encoder" else "target_vocab"]
            self.embed_tokens = nn.Embedding(vocab, width, padding_idx=config["pad"])
        if self.positions == "learned":
            self.embed_positions = nn.Embedding(config["position_count"], width)
        self.layers = nn.ModuleList(Layer(config, side)
                                    for _ in range(config[f"{side}_layers"]))
        self.layer_norm = (nn.LayerNorm(width, config["norm_epsilon"])
                           if config["top_norm"] else None)
        self.drop = nn.Dropout(config["dropout"])

    def embed(self, table, ids, first=0):
        """Embeddings and positions; first: the index of ids[:, 0] in the sentence."""
        begin, end = self.offset + first, self.offset + first + ids.shape[1]
        if self.positions == "learned":
            places = self.embed_positions.weight[begin:end]
        else:
            places = sinusoids(self.positions, end, table.weight.shape[1],
                               table.weight.dtype)[begin:].to(ids.device)
        return self.drop(self.scale * table(ids) + places)

    def top(self, x):
        return x if self.layer_norm is None else self.layer_norm(x)


def mask_of(blocked, dtype):
    """0 where attention may look, minus infinity where not."""
    return torch.zeros(blocked.shape, dtype=dtype,
                       device=blocked.device).masked_fill_(blocked, -math.inf)


class Transformer(Translator):
    def __init__(self, config):
        super().__init__()
        self.config, self.model = config, nn.Module()
        if config["shared_embedding"]:
            self.model.shared = nn.Embedding(config["source_vocab"], config["width"],
                                             padding_idx=config["pad"])
        self.model.encoder = Side(config, "encoder")
        self.model.decoder = Side(config, "decoder")
        if not config["tied"]:
            self.lm_head = nn.Linear(config["width"], config["target_vocab"], bias=False)
        bias = torch.zeros(1, config["target_vocab"])
        self.final_logits_bias = nn.Parameter(bias, requires_grad=config["output_bias"])
        self.init_weights(config["width"])

    def init_weights(self, width):
        for name, weight in self.named_parameters():
            if "embed" in name or "shared" in name:
                nn.init.normal_(weight, 0, width ** -0.5)
                weight.data[self.config["pad"]] = 0
            elif name.endswith("proj.weight") or "fc" in name and weight.dim() > 1:
                nn.init.xavier_uniform_(weight)
            elif name.endswith("proj.bias") or "fc" in name:
                nn.init.zeros_(weight)

    def table(self, side):
        return self.model.shared if self.config["shared_embedding"] else side.embed_tokens

    def head(self):
        return (self.table(self.model.decoder).weight if self.config["tied"]
                else self.lm_head.weight)

    def logits(self, x):
        logits = F.linear(x, self.head(), self.final_logits_bias[0])
        logits[..., self.config["masked"]] = -math.inf
        return logits

    def encode(self, source, lengths):
        """(memory (B, S, d), mask, alphas of every layer)."""
        side, alphas = self.model.encoder, []
        x = side.embed(self.table(side), source)
        beyond = torch.arange(source.shape[1]) >= lengths.cpu().unsqueeze(1)
        mask = mask_of(beyond[:, None, None].to(x.device), x.dtype)
        for layer in side.layers:
            x, alpha, _ = layer(x, mask)
            alphas += alpha
        return side.top(x), mask, alphas

    def decode(self, target_in, memory, blocked):
        """(output of the last layer (B, T, d), [self, cross] alphas layer by layer)."""
        side, alphas, length = self.model.decoder, [], target_in.shape[1]
        x = side.embed(self.table(side), target_in)
        mask = mask_of(torch.ones(length, length, dtype=torch.bool).triu(1), x.dtype)
        for layer in side.layers:
            x, alpha, _ = layer(x, mask.to(x.device), layer.encoder_attn.keys(memory),
                                blocked)
            alphas.append(alpha)
        return side.top(x), alphas

    def forced(self, source, lengths, target_in):
        """Readouts (B, T, d) under the given target, and alpha (B, T, S): the mean over
        the layers and heads of the attention to the source."""
        memory, blocked, _ = self.encode(source, lengths)
        readouts, alphas = self.decode(target_in, memory, blocked)
        with torch.no_grad():
            alpha = sum(cross.mean(1) for _, cross in alphas) / len(alphas)
        return readouts, alpha

    def loss(self, source, lengths, target_in, target, smoothing=0.0, candidates=0):
        """Mean over the tokens of target that are not padding; see draw_candidates."""
        memory, blocked, _ = self.encode(source, lengths)
        readouts, _ = self.decode(target_in, memory, blocked)
        real = target != self.config["pad"]
        return output_loss(readouts[real], self.head(), self.final_logits_bias[0],
                           target[real], smoothing, candidates)

    def begin(self, source, lengths):
        """(mask, (K, V) of the source of every layer, those of no target position)."""
        memory, blocked, _ = self.encode(source, lengths)
        sources = tuple(layer.encoder_attn.keys(memory)
                        for layer in self.model.decoder.layers)
        return blocked, sources, tuple(tuple(part[:, :, :0] for part in pair)
                                       for pair in sources)

    def advance(self, token, carried):
        """One position; the keys and values of those before it are kept."""
        blocked, sources, pasts = carried
        side, kept = self.model.decoder, []
        x = side.embed(self.table(side), token.unsqueeze(1), pasts[0][0].shape[2])
        for layer, source, past in zip(side.layers, sources, pasts):
            x, _, past = layer(x, None, source, blocked, past)
            kept.append(past)
        return self.logits(side.top(x)[:, 0]), (blocked, sources, tuple(kept))
