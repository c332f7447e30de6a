# SPDX-License-Identifier: MIT
"""Runs the built program and counts cases as TAP. A test is a function with the
decorator @case; it fails by an exception, mostly AssertionError."""
import json
import os
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import traceback

PROGRAM = os.path.abspath(sys.argv[1])
DATA = os.environ["ALPHASCOPE_DATA"]
MODELS = os.path.join(DATA, "models")
# Untrained and of a few numbers: for what is about input and output, not about words.
SMALL = os.path.join(os.environ["ALPHASCOPE_TESTS"], "golden", "models")
TINY = os.path.join(SMALL, "tiny-dot-f32")
TINY_NONE = os.path.join(SMALL, "tiny-none-bf16") # without a matrix that grows
CAT = "The black cat sleeps."
ADDITIVE, DOT, NONE = "en-fr-bahdanau", "en-fr-luong-dot", "en-fr-rnnencdec"
CASES = []


def case(function):
    CASES.append(function)
    return function


class Result:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def text(self):
        return self.out.decode()

    def lines(self):
        return self.text().split("\n")[:-1]

    def objects(self):
        return [json.loads(line, parse_constant=refuse) for line in self.lines()]

    def said(self):
        return self.err.decode().split("\n")[:-1]


def refuse(constant):
    raise AssertionError(f"{constant} is not JSON")


def run(*args, stdin=b"", env=None, **more):
    if isinstance(stdin, bytes):
        more["input"] = stdin
    else:
        more["stdin"] = stdin
    done = subprocess.run([more.pop("program", PROGRAM), *args], stdout=more.pop("stdout", subprocess.PIPE),
                          stderr=subprocess.PIPE, timeout=300,
                          env={**os.environ, **(env or {})}, **more)
    return Result(done.returncode, done.stdout, done.stderr)


def shell(script, *args):
    """The program is "$0"; for what only a shell can do to descriptors."""
    done = subprocess.run(["sh", "-c", script, PROGRAM, *args], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
    return Result(done.returncode, done.stdout, done.stderr)


def trace(*args, code=0, **more):
    result = run("trace", *args, **more)
    equal(result.code, code, result.err)
    return result


def one(*args, **more):
    objects = trace(*args, **more).objects()
    equal(len(objects), 1)
    return objects[0]


def sentence(result, *words, command="trace"):
    """One sentence on stderr that holds the words."""
    equal(len(result.said()), 1, result.err)
    said = result.said()[0]
    assert said.startswith(f"alphascope {command}: "), said
    for word in words:
        assert word in said, f"{word!r} is not in {said!r}"


def equal(found, wanted, note=""):
    assert found == wanted, f"{found!r}, expected {wanted!r} {note}"


def near(found, wanted, bound=1e-5):
    assert abs(found - wanted) <= bound, f"{found!r}, expected {wanted!r}"


def copy_model(folder, name=DOT):
    """A copy of a bundled model that a test may break."""
    path = os.path.join(folder, name)
    shutil.copytree(os.path.join(MODELS, name), path)
    for file in os.listdir(path):
        os.chmod(os.path.join(path, file), 0o644)
    return path


def huge_model(folder, tensor, row=None):
    """A tiny F32 model in which the weights of one tensor, or row of it, are huge."""
    path = os.path.join(folder, "huge-" + tensor.replace(".", "-"))
    shutil.copytree(os.path.join(SMALL, "tiny-additive-f32"), path)
    with open(os.path.join(path, "model.safetensors"), "r+b") as file:
        size = struct.unpack("<Q", file.read(8))[0]
        entry = json.loads(file.read(size))[tensor]
        begin, end = entry["data_offsets"]
        if row is not None:
            width = (end - begin) // entry["shape"][0]
            begin, end = begin + row * width, begin + (row + 1) * width
        file.seek(8 + size + begin)
        file.write(struct.pack("<f", 3e38) * ((end - begin) // 4))
    return path


def write(folder, name, data):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(data)
    return path


def peak_kb(*args, stdin, stdout=subprocess.DEVNULL):
    """Most resident memory of one run with stdin, a file object."""
    child = subprocess.Popen([PROGRAM, *args], stdin=stdin, stdout=stdout,
                             stderr=subprocess.DEVNULL,
                             env={**os.environ, "ASAN_OPTIONS": "quarantine_size_mb=1"})
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    equal(child.returncode, 0)
    return usage.ru_maxrss


def main():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    failed = 0
    print(f"1..{len(CASES)}")
    for number, function in enumerate(CASES, 1):
        name = function.__name__.replace("_", " ")
        try:
            with tempfile.TemporaryDirectory() as folder:
                function(*([folder] if function.__code__.co_argcount else []))
            print(f"ok {number} - {name}", flush=True)
        except Exception:  # a broken case must not hide those after it
            failed += 1
            print(f"not ok {number} - {name}")
            print("# " + traceback.format_exc().strip().replace("\n", "\n# "), flush=True)
    sys.exit(1 if failed else 0)
