# SPDX-License-Identifier: MIT
"""The same model, the same sentences, in PyTorch and in alphascope, in the same minute.

PyTorch computes eagerly in F32, as models/network.py and models/transformer.py define
the models; alphascope reads the F16 weights, or with --f32 the same in F32. Both decode
greedily, encoder included, and must give the same words.

  one core    one sentence at a time, each when the one before is answered, in processor
              time per target token
  all cores   batches of PyTorch at their best, alphascope as a filter, which decodes many
              sentences together, too; tokens per second by the clock, and processor time

PyTorch's batches are sorted by length; a sentence that has ended leaves its batch. Of
several sizes the fastest counts. Each core has a process of its own with one thread, so
that nothing waits for another core. PyTorch is as fast as the BLAS it finds: the distribution's
reference BLAS is not made for speed, so give it OpenBLAS (libopenblas0-serial, or its
folder in LD_LIBRARY_PATH). It reads token ids and gives token ids; alphascope reads text
and writes its lines.

What starting costs is measured with empty input and taken away. Rounds of both take
turns, and the best of each counts. A machine must be idle for the times by the clock.

CTranslate2, which is faster than PyTorch, is in no package of the distribution and is not
compared.

usage: torch.py ALPHASCOPE [--model DIR] [--sentences FILE] [--rounds N] [--f32]"""
import argparse
import json
import multiprocessing
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[0] = os.path.join(ROOT, "models")  # and not this folder: it has a torch.py

import blas  # noqa: E402, F401, before torch
import sentencepiece  # noqa: E402
import torch  # noqa: E402
from export import load_safetensors, save_safetensors  # noqa: E402
from network import BOS, EOS, PAD, Seq2Seq  # noqa: E402
from transformer import Transformer  # noqa: E402

REPEATS = 5  # of the sentences, so that a run takes a second
BATCHES = (32, 128, 256)


class Torch:
    def __init__(self, directory, lines):
        with open(f"{directory}/config.json", encoding="utf-8") as file:
            config = json.load(file)
        kinds = {"alphascope-seq2seq": Seq2Seq, "alphascope-transformer": Transformer}
        self.model = kinds[config["format"]](config)
        tensors = load_safetensors(f"{directory}/model.safetensors")
        self.model.load_state_dict(
            {name: torch.from_numpy(value).float() for name, value in tensors.items()})
        self.model.eval()
        source, self.target = (sentencepiece.SentencePieceProcessor(
            model_file=f"{directory}/{side}.spm") for side in ("source", "target"))
        self.ids = [row + [EOS] for row in source.encode(lines)]

    def one_by_one(self):
        """Lists of target ids, without PAD."""
        out = []
        for row in self.ids:
            rows = self.model.greedy(torch.tensor([row]), torch.tensor([len(row)]),
                                     3 * len(row) + 10)
            out.append(rows[0].tolist())
        return out

    def words(self, ids):
        return self.target.decode([i for i in ids if i not in (PAD, EOS)])


def keep(rows, value):
    """The chosen rows of a tensor, or of every tensor of a tuple; None stays."""
    if isinstance(value, tuple):
        return tuple(keep(rows, part) for part in value)
    return None if value is None else value[rows]


def decode_batch(model, rows):
    """Lists of target ids of rows of source ids."""
    lengths = torch.tensor([len(row) for row in rows])
    source = torch.nn.utils.rnn.pad_sequence([torch.tensor(row) for row in rows], True)
    carried = model.begin(source, lengths)
    token, limits = torch.full_like(lengths, BOS), 3 * lengths + 10
    growing, out = list(range(len(rows))), [[] for _ in rows]
    while growing:
        logits, carried = model.advance(token, carried)
        token = logits.argmax(1)
        for at, chosen in zip(growing, token.tolist()):
            out[at].append(chosen)
        left = ((token != EOS) & (limits > len(out[growing[0]]))).nonzero()[:, 0]
        if len(left) < len(growing):
            growing = [growing[i] for i in left.tolist()]
            carried, token, limits = keep(left, (carried, token, limits))
    return out


def decode_batches(model, batches):
    return [ids for batch in batches for ids in decode_batch(model, batch)]


class Processes:
    """One process with one thread for each core; they take every so-many-th batch."""

    def __init__(self, model, cores, batches):
        torch.set_num_threads(1)
        self.ends = []
        for number in range(cores):
            ours, theirs = multiprocessing.Pipe()
            multiprocessing.Process(target=self.work, daemon=True, args=(
                model, batches[number::cores], theirs)).start()
            self.ends.append(ours)
        self.all_say()

    @staticmethod
    def work(model, batches, end):
        with torch.no_grad():
            decode_batches(model, batches[:1])  # warm
            end.send(0.0)
            while end.recv():
                _, _, cpu = timed(decode_batches, model, batches)
                end.send(cpu)

    def all_say(self):
        return sum(end.recv() for end in self.ends)

    def run(self):
        """(seconds by the clock, of processors)"""
        begin = time.perf_counter()
        for end in self.ends:
            end.send(True)
        cpu = self.all_say()
        return time.perf_counter() - begin, cpu

    def end(self):
        for end in self.ends:
            end.send(False)


def timed(function, *arguments):
    """(result, seconds by the clock, seconds of processors)"""
    wall, cpu = time.perf_counter(), time.process_time()
    result = function(*arguments)
    return result, time.perf_counter() - wall, time.process_time() - cpu


def run_filter(command, lines):
    """The same for a filter, whose result is what it writes."""
    wall, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(command, input="".join(line + "\n" for line in lines),
                         capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (run.stdout, time.perf_counter() - wall,
            after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def answer_each(command, lines):
    """Seconds of processors for lines that are written when the last one is answered."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          bufsize=0) as child:
        for line in lines:
            child.stdin.write(line.encode() + b"\n")
            child.stdout.readline()
        child.stdin.close()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def alphascope(command, lines):
    """(seconds by the clock, of processors) for all lines, starting taken away."""
    _, empty_wall, empty_cpu = run_filter(command, [])
    _, wall, cpu = run_filter(command, lines * REPEATS)
    return (wall - empty_wall) / REPEATS, (cpu - empty_cpu) / REPEATS


def as_f32(directory, copy):
    """A copy of the model with the same weights in F32."""
    shutil.copytree(directory, copy)
    tensors = load_safetensors(f"{directory}/model.safetensors")
    save_safetensors(f"{copy}/model.safetensors",
                     {name: value.astype("float32") for name, value in tensors.items()})
    return copy


def libraries():
    with open("/proc/self/maps", encoding="utf-8") as maps:
        names = {os.path.realpath(line.split()[-1]) for line in maps if "blas" in line}
    names = ", ".join(sorted(os.path.basename(name) for name in names)) or "its own BLAS"
    return f"{names} ({os.environ.get('OPENBLAS_CORETYPE', 'kernels of its choice')})"


def compare_words(program, output):
    """alphascope's translations, of the JSON it writes, against PyTorch's."""
    texts = [json.loads(line)["translation"] for line in output.splitlines()]
    ours = [program.words(ids) for ids in program.one_by_one()]
    same = sum(a == b for a, b in zip(texts, ours))
    print(f"words: {same} of {len(ours)} translations are the same")


def one_core(program, command, lines, rounds):
    torch.set_num_threads(1)
    theirs, ours = [], []
    for _ in range(rounds):
        rows, _, cpu = timed(program.one_by_one)
        theirs.append(cpu)
        ours.append(answer_each(command + ["--threads", "1"], lines) -
                    answer_each(command + ["--threads", "1"], []))
    tokens = sum(len(row) for row in rows)
    theirs, ours = (1e6 * min(times) / tokens for times in (theirs, ours))
    print(f"one core, one sentence at a time: PyTorch {theirs:.0f} us, alphascope "
          f"{ours:.0f} us a target token: {theirs / ours:.1f} times")


def best_batches(program, cores, rounds):
    """(tokens, (seconds by the clock, how), (of processors, how)), each the least."""
    rows = sorted(program.ids * REPEATS, key=len)
    walls, cpus = [], []
    for size in BATCHES:
        batches = [rows[at:at + size] for at in range(0, len(rows), size)]
        processes = Processes(program.model, cores, batches)
        for _ in range(rounds):
            wall, cpu = processes.run()
            walls.append((wall, f"batches of {size}"))
            cpus.append((cpu, f"batches of {size}"))
        processes.end()
    tokens = REPEATS * sum(map(len, program.one_by_one()))
    return tokens, min(walls), min(cpus)


def all_cores(program, command, lines, rounds):
    cores = len(os.sched_getaffinity(0))
    ours = []
    for _ in range(rounds):
        ours.append(alphascope(command + ["--threads", str(cores)], lines))
    tokens, (wall, way), (cpu, way_cpu) = best_batches(program, cores, rounds)
    for _ in range(rounds):
        ours.append(alphascope(command + ["--threads", str(cores)], lines))
    our_wall, our_cpu = (REPEATS * min(times) for times in zip(*ours))
    print(f"{cores} cores: PyTorch in {way} {tokens / wall:.0f}, alphascope "
          f"{tokens / our_wall:.0f} target tokens a second: {wall / our_wall:.2f} times")
    print(f"  in processor time: PyTorch in {way_cpu} {1e6 * cpu / tokens:.1f} us, "
          f"alphascope {1e6 * our_cpu / tokens:.1f} us a token, encoder included: "
          f"{cpu / our_cpu:.2f} times")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("alphascope")
    parser.add_argument("--model", default=f"{ROOT}/models/en-fr-bahdanau")
    parser.add_argument("--sentences", default=f"{ROOT}/assets/samples/en-fr.tsv")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--f32", action="store_true", help="F32 weights for both")
    options = parser.parse_args()
    with open(options.sentences, encoding="utf-8") as file:
        lines = [line.split("\t")[0].strip() for line in file]
    with tempfile.TemporaryDirectory() as folder:
        if options.f32:
            options.model = as_f32(options.model, f"{folder}/model")
        measure(options, lines)


def measure(options, lines):
    trace = [options.alphascope, "trace", "--model", options.model, "--format"]
    program = Torch(options.model, lines)
    print(f"PyTorch {torch.__version__} with {libraries()}; {len(lines)} sentences")
    with torch.no_grad():
        compare_words(program, run_filter(trace + ["json"], lines)[0])
        one_core(program, trace + ["pharaoh"], lines, options.rounds)
        all_cores(program, trace + ["pharaoh"], lines, options.rounds)


if __name__ == "__main__":
    main()
