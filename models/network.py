# SPDX-License-Identifier: MIT
"""The recurrent family as PyTorch modules; the names of the parameters are the format's.

One GRU encoder-decoder with one switch, `score`:

  none      RNNencdec: the context is the encoder's summary at every step
            (Cho et al. 2014, arXiv:1406.1078)
  additive  RNNsearch: v' tanh(W s_{t-1} + U h_i), query is the previous state
            (Bahdanau, Cho, Bengio 2015, arXiv:1409.0473)
  dot, general, concat   query is the current state, with input feeding
            (Luong, Pham, Manning 2015, arXiv:1508.04025)

Two more facts, for what the papers after them do:

  query "between"     conditional GRU: s' = GRU(y_{t-1}, s_{t-1}) asks, then
                      s_t = GRU(c_t, s') (Sennrich et al. 2017, arXiv:1703.04357)
  coverage            the score also reads C_i, the sum of the alpha so far at source
                      position i: "sum", or divided by the fertility N sigma(u h_i):
                      "fertility" (Tu et al. 2016, arXiv:1601.04811)

The output layer is tied to the target embedding (Press and Wolf 2017, arXiv:1608.05859).
"""
import torch
import torch.nn.functional as F
from torch import nn

import fused
import steps

PAD, BOS, EOS, UNK = 0, 1, 2, 3
SCORES = ("additive", "dot", "general", "concat", "none")


QUERIES = ("previous", "between", "current")
COVERAGES = ("none", "sum", "fertility")
FERTILITY_MAX = 2.0


def make_config(languages, score, embedding, hidden, attention, vocabularies, dropout,
                query=None, coverage="none"):
    """Every fact of config.json; hidden is the encoder's width per direction.

    Version 1 of the format where it says everything, else version 2."""
    usual = "previous" if score in ("additive", "none") else "current"
    query = query or usual
    ids = dict(pad=PAD, bos=BOS, eos=EOS, unk=UNK)
    common = dict(encoder_hidden=hidden, decoder_hidden=2 * hidden, score=score,
                  source_vocab=vocabularies[0], target_vocab=vocabularies[1],
                  dropout=dropout)
    if query == usual and coverage == "none":
        return dict(format="alphascope-seq2seq", version=1, languages=languages,
                    cell="gru", bidirectional=True, layers=1, embedding=embedding,
                    attention_hidden=attention, query=query, **common, **ids)
    return dict(format="alphascope-seq2seq", version=2, languages=languages, **common,
                **second_version(score, embedding, attention, query, coverage), **ids)


def second_version(score, embedding, attention, query, coverage):
    """The facts that version 1 does not say; models/README.md lists them."""
    asks = score in ("additive", "concat")
    inputs = {"previous": ["embedding", "context"], "between": ["embedding"],
              "current": ["embedding", "feed"]}
    return dict(
        encoder_cell="gru-pytorch", decoder_cell="gru-pytorch",
        second_cell="gru-pytorch" if query == "between" else "none", gate="sigmoid",
        forget_bias=0, source_embedding=embedding, target_embedding=embedding,
        encoder_layers=1, bidirectional=True, encoder_stack="none", merge="concat",
        decoder_layers=1, residual=False, summary="both", bridge="tanh",
        bridge_bias=True, bridge_layers="same", bridge_cell="none", first_input="bos",
        decoder_input=inputs[query], query=query,
        attention_hidden=attention if asks else 0, query_bias=False, key_bias=asks,
        energy_bias=False, coverage=coverage,
        fertility_max=FERTILITY_MAX if coverage == "fertility" else 0, readout="tanh",
        readout_input=["state", "context"] + ["embedding"] * (query != "current"),
        readout_hidden=embedding, readout_bias=True, tied=True, output_bias=True,
        source_eos=True)


class OutputLoss(torch.autograd.Function):
    """Mean cross entropy with label smoothing (Szegedy et al. 2016) of readouts (N, E).

    Output layer, loss and their gradients in one go and a few rows at a time: the table
    of N times V logits, the largest by far, is never whole in memory. mass (V): how many
    tokens each row of the weight stands for; 1 where every token has its own row.
    """
    ROWS = 256

    @staticmethod
    def forward(ctx, readouts, weight, bias, mass, target, smoothing):
        total, share = 0.0, smoothing * mass / mass.sum()
        grads = [torch.empty_like(readouts), torch.zeros_like(weight),
                 torch.zeros_like(bias)]
        weighed = bias + mass.log()
        for rows, wanted, grad in zip(*(table.split(OutputLoss.ROWS) for table
                                        in (readouts, target, grads[0]))):
            slope = torch.addmm(weighed, rows, weight.t())
            total += fused.softmax_slope(slope, share, wanted, smoothing)
            torch.mm(slope, weight, out=grad)
            grads[1].addmm_(slope.t(), rows)
            grads[2].add_(slope.sum(0))
        ctx.save_for_backward(*(grad.div_(len(target)) for grad in grads))
        return readouts.new_tensor(float(total) / len(target))

    @staticmethod
    def backward(ctx, slope):
        return (*(slope * grad for grad in ctx.saved_tensors), None, None, None)


def draw_candidates(target, size, count):
    """(ids, mass, target as places in ids): every token of target, and `count` others
    that stand for all the rest (importance sampling; Jean et al. 2015, arXiv:1412.2007).
    All tokens in their order, each for itself, when count is 0 or reaches them."""
    present = torch.zeros(size, dtype=torch.bool, device=target.device)
    present[target] = True
    absent = (~present).nonzero().squeeze(1)
    if count == 0 or count >= len(absent):
        ids = torch.arange(size, device=target.device)
        return ids, torch.ones(size, device=target.device), target
    drawn = absent[torch.randperm(len(absent), device=target.device)[:count]]
    ids = torch.cat([present.nonzero().squeeze(1), drawn])
    mass = torch.ones(len(ids), device=target.device)
    mass[-count:] = len(absent) / count
    place = torch.empty(size, dtype=torch.long, device=target.device)
    place[ids] = torch.arange(len(ids), device=target.device)
    return ids, mass, place[target]


def output_loss(readouts, weight, bias, target, smoothing, candidates):
    """OutputLoss over all the tokens, or over a sample of them: see draw_candidates."""
    ids, mass, wanted = draw_candidates(target, len(bias), candidates)
    return OutputLoss.apply(readouts, weight.index_select(0, ids),
                            bias.index_select(0, ids), mass.to(bias), wanted, smoothing)


class Translator(nn.Module):
    """What the families share. A model has `begin(source, lengths)`, which gives a tuple
    (of tuples) of tensors with a row for each sentence, or None, and `advance(token,
    carried)`, which gives the logits (B, V) after that token and what is carried on."""

    def collect(self):
        """Must follow every loss.backward(), or the layers of a loop learn nothing:
        see steps.py. A model without such layers has nothing to collect."""

    @torch.no_grad()
    def greedy(self, source, lengths, limit):
        """The most probable next token at each step: ids (B, T), ended by </s>."""
        carried, config = self.begin(source, lengths), self.config
        token = torch.full_like(source[:, 0], config.get("start", BOS))
        done = torch.zeros_like(token, dtype=torch.bool)
        tokens = []
        for _ in range(limit):
            logits, carried = self.advance(token, carried)
            token = logits.argmax(1)
            token[done] = config["pad"]
            tokens.append(token)
            done |= token == config["eos"]
            if done.all():
                break
        return torch.stack(tokens, 1)


class Attention(nn.Module):
    def __init__(self, score, query_dim, key_dim, hidden, coverage, kept):
        super().__init__()
        self.score, self.covers = score, coverage
        if score in ("additive", "concat"):
            self.query = steps.Linear(kept, query_dim, hidden, bias=False)
            self.key = nn.Linear(key_dim, hidden, bias=True)
            self.v = nn.Linear(hidden, 1, bias=False)
        elif score == "general":
            self.key = nn.Linear(key_dim, query_dim, bias=False)
        if coverage != "none":
            self.coverage = nn.Linear(1, hidden, bias=False)
        if coverage == "fertility":
            self.fertility = nn.Linear(key_dim, 1, bias=False)

    def read(self, memory, lengths, blocked):
        """What every step needs of the memory, computed once a sentence: steps.Read where
        there will be a backward, else tensors."""
        keys = memory if self.score == "dot" else self.key(memory)
        if not torch.is_grad_enabled():
            return keys, memory, blocked
        return steps.Read(keys, memory, lengths, getattr(self, "v", None),
                          getattr(self, "coverage", None))

    def first_coverage(self, memory):
        """(C_0, Phi): (B, S) each; None where the score does not read it."""
        if self.covers == "none":
            return None, None
        zero = memory.new_zeros(memory.shape[:2])
        if self.covers == "sum":
            return zero, None
        return zero, FERTILITY_MAX * torch.sigmoid(self.fertility(memory).squeeze(2))

    def forward(self, query, read, covered=None):
        """(context, alpha): (B, M) and (B, S)."""
        if self.score in ("additive", "concat"):
            query = self.query(query)
        if isinstance(read, steps.Read):
            return steps.AttendStep.apply(query, covered, read.keys, read.memory, read)
        keys, memory, blocked = read
        v, w = (getattr(self, name, None) for name in ("v", "coverage"))
        _, scores = fused.energies(query, keys, v and v.weight[0], covered,
                                   w and w.weight.view(-1))
        return fused.look(scores, memory, blocked)


class Seq2Seq(Translator):
    def __init__(self, config):
        super().__init__()
        self.config, self.score = config, config["score"]
        self.query, self.kept = config["query"], steps.Kept()
        width = config.get("embedding", config.get("target_embedding"))
        state, memory = config["decoder_hidden"], 2 * config["encoder_hidden"]
        reads = {"previous": memory, "between": 0, "current": width}[self.query]
        self.src_embed = nn.Embedding(config["source_vocab"], width, padding_idx=PAD)
        self.tgt_embed = nn.Embedding(config["target_vocab"], width, padding_idx=PAD)
        self.encoder = nn.GRU(width, config["encoder_hidden"], batch_first=True,
                              bidirectional=True)
        self.bridge = nn.Linear(memory, state)
        self.decoder = steps.GRUCell(self.kept, width + reads, state)
        if self.query == "between":
            self.decoder.second = steps.GRUCell(self.kept, memory, state)
        if self.score != "none":
            self.attention = Attention(self.score, state, memory,
                                       config["attention_hidden"],
                                       config.get("coverage", "none"), self.kept)
        reads = state + memory + (0 if self.query == "current" else width)
        self.readout = steps.Linear(self.kept, reads, width)
        self.out_bias = nn.Parameter(torch.zeros(config["target_vocab"]))
        self.drop = fused.Dropout(config["dropout"])
        self.init_weights(width)

    def init_weights(self, width):
        """Orthogonal recurrences, gate by gate; Xavier elsewhere."""
        for name, weight in self.named_parameters():
            if "embed" in name:
                nn.init.normal_(weight, 0, width ** -0.5)
            elif weight.dim() > 1 and "weight_hh" in name:
                for gate in weight.data.chunk(3):
                    nn.init.orthogonal_(gate)
            elif weight.dim() > 1:
                nn.init.xavier_uniform_(weight)

    def recur(self, packed):
        """self.encoder(packed), by one product over all positions for what it reads."""
        outs, lasts, sizes = [], [], packed.batch_sizes.tolist()
        for reverse, side in enumerate(("", "_reverse")):
            weights = [getattr(self.encoder, f"{kind}_l0{side}") for kind in
                       ("weight_ih", "bias_ih", "weight_hh", "bias_hh")]
            out, last = steps.Recurrence.apply(F.linear(packed.data, *weights[:2]),
                                               *weights[2:], sizes, bool(reverse))
            outs.append(out)
            lasts.append(last[packed.unsorted_indices])
        return packed._replace(data=torch.cat(outs, 1)), lasts

    def encode(self, source, lengths):
        """(memory, what attention reads, summary, first decoder state)."""
        embedded = self.drop(self.src_embed(source))
        packed = nn.utils.rnn.pack_padded_sequence(
            embedded, lengths.cpu(), batch_first=True, enforce_sorted=False)
        learning = torch.is_grad_enabled()
        memory, last = self.recur(packed) if learning else self.encoder(packed)
        memory, _ = nn.utils.rnn.pad_packed_sequence(
            memory, batch_first=True, total_length=source.shape[1])
        summary = torch.cat([last[0], last[1]], 1)
        read = None
        if self.score != "none":
            read = self.attention.read(memory, lengths, source == PAD)
        return memory, read, summary, torch.tanh(self.bridge(summary))

    def attend(self, state, carried, encoded):
        """(context, alpha or None, the coverage after it)."""
        _, read, summary, _ = encoded
        _, covered, fertility = carried
        if self.score == "none":
            return summary, None, None
        context, alpha = self.attention(state, read, covered)
        if covered is not None:
            covered = covered + (alpha if fertility is None else alpha / fertility)
        return context, alpha, covered

    def step(self, embedded, state, carried, encoded):
        """One target step: (readout, state, what is carried to the next, alpha or None).
        Carried are what is fed back, the coverage and the fertility."""
        feed, _, fertility = carried
        if self.query == "current":
            state = self.decoder(torch.cat([embedded, feed], 1), state)
        elif self.query == "between":
            state = self.decoder(embedded, state)
        context, alpha, covered = self.attend(state, carried, encoded)
        if self.query == "current":
            readout = torch.tanh(self.readout(torch.cat([state, context], 1)))
            return readout, state, (readout, covered, fertility), alpha
        if self.query == "between":
            state = self.decoder.second(context, state)
        else:
            state = self.decoder(torch.cat([embedded, context], 1), state)
        readout = torch.tanh(self.readout(torch.cat([state, context, embedded], 1)))
        return readout, state, (feed, covered, fertility), alpha

    def collect(self):
        self.kept.collect()

    def logits(self, readout):
        return F.linear(readout, self.tgt_embed.weight, self.out_bias)

    def first_carried(self, memory):
        feed = memory.new_zeros(memory.shape[0], self.readout.out_features)
        if self.score == "none":
            return feed, None, None
        return feed, *self.attention.first_coverage(memory)

    def forced(self, source, lengths, target_in):
        """Readouts (B, T, E) under the given target, and alpha (B, T, S) or None."""
        encoded = self.encode(source, lengths)
        state, carried = encoded[3], self.first_carried(encoded[0])
        readouts, alphas = [], []
        for word in self.drop(self.tgt_embed(target_in.t())).unbind(0):
            readout, state, carried, alpha = self.step(word, state, carried, encoded)
            readouts.append(readout)
            alphas.append(alpha)
        alpha = None if self.score == "none" else torch.stack(alphas, 1)
        return self.drop(torch.stack(readouts, 1)), alpha

    def loss(self, source, lengths, target_in, target, smoothing=0.0, candidates=0):
        """Mean over the tokens of target that are not PAD; see draw_candidates."""
        readouts, _ = self.forced(source, lengths, target_in)
        real = target != PAD
        return output_loss(readouts[real], self.tgt_embed.weight, self.out_bias,
                           target[real], smoothing, candidates)

    def begin(self, source, lengths):
        encoded = self.encode(source, lengths)
        return encoded, encoded[3], self.first_carried(encoded[0])

    def advance(self, token, carried):
        encoded, state, carried = carried
        readout, state, carried, _ = self.step(self.tgt_embed(token), state, carried,
                                               encoded)
        return self.logits(readout), (encoded, state, carried)
