# SPDX-License-Identifier: MIT
"""Drives a real window: its own X server (Xvfb), the program, and hands (xdotool).

The program reports what it did as JSON objects, one a line, on stdout; a test acts and
then waits for the report it expects, so that nothing here sleeps and hopes. Characters
outside ASCII are bound to spare keys before the program starts: xdotool alone remaps one
key per character while the program still reads the old map. Pictures are read from the
server's frame buffer file. Everything started here dies with this process.

Needs Xvfb, xdotool and xmodmap; Python's own library otherwise."""
import ctypes
import json
import os
import select
import shutil
import signal
import struct
import subprocess
import tempfile
import threading
import time
import zlib

PATIENCE = 60.0  # seconds for anything to happen; only a failing test waits this long
PR_SET_PDEATHSIG = 1


class Failed(Exception):
    pass


def lacking():
    """The tools that are not installed."""
    return [t for t in ("Xvfb", "xdotool", "xmodmap") if not shutil.which(t)]


def wait_until(what, true, patience=PATIENCE):
    """Polls for what no report tells, such as a colour on the screen."""
    until = time.monotonic() + patience
    while not true():
        if time.monotonic() > until:
            raise Failed(f"no {what} in {patience:g} s")
        time.sleep(0.05)


def _tied():
    os.setsid()
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _end(process, grace=0.0):
    for number, wait in ((signal.SIGTERM, grace), (signal.SIGKILL, 5.0)):
        if process.poll() is None and (wait or number == signal.SIGKILL):
            process.send_signal(number)
            try:
                process.wait(wait)
            except subprocess.TimeoutExpired:
                pass


class Screen:
    """An X server of its own, with its number and frame buffer."""

    def __init__(self, width=1600, height=1000):
        self.folder = tempfile.mkdtemp(prefix="alphascope-e2e-")
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{width}x{height}x24",
             "-fbdir", self.folder, "-nolisten", "tcp", "-noreset"],
            pass_fds=[write], preexec_fn=_tied, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        number = self._number(read)
        os.close(read)
        if not number:
            self.close()
            raise Failed("Xvfb did not start")
        self.env = dict(os.environ, DISPLAY=":" + number, SDL_VIDEODRIVER="x11",
                        SDL_AUDIODRIVER="dummy", HOME=self.folder,
                        XDG_CONFIG_HOME=self.folder, XDG_RUNTIME_DIR=self.folder)
        for name in ("WAYLAND_DISPLAY", "XAUTHORITY", "ALPHASCOPE_CONFIG"):
            self.env.pop(name, None)

    @staticmethod
    def _number(pipe):
        """The server writes its number and the newline apart, and dies when it cannot."""
        text = ""
        while not text.endswith("\n") and select.select([pipe], [], [], PATIENCE)[0]:
            piece = os.read(pipe, 20).decode()
            if not piece:
                return ""
            text += piece
        return text.strip()

    def close(self):
        _end(self.server, 5.0)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def tool(self, *argv, text=None):
        run = subprocess.run(argv, env=self.env, input=text, capture_output=True,
                             text=True, timeout=PATIENCE)
        if run.returncode:
            raise Failed(f"{' '.join(argv)}: {run.stderr.strip() or run.returncode}")
        return run.stdout

    def bind(self, characters):
        """Gives each character a spare key, on both shift levels."""
        rows = [r.split() for r in self.tool("xmodmap", "-pke").splitlines()]
        spare = [r[1] for r in rows if len(r) == 3]
        spare += [r[1] for r in rows if len(r) > 3 and r[3].startswith("XF86")]
        lines = [f"keycode {k} = U{ord(c):04X} U{ord(c):04X}\n"
                 for k, c in zip(spare, characters)]
        self.tool("xmodmap", "-", text="".join(lines))

    def pixels(self):
        """(width, height, RGB bytes) of the whole screen."""
        with open(os.path.join(self.folder, "Xvfb_screen0"), "rb") as file:
            data = file.read()
        head = struct.unpack(">25I", data[:100])
        width, height, stride, colors = head[4], head[5], head[12], head[19]
        start = head[0] + 12 * colors
        if head[11] != 32 or head[7] != 0:
            raise Failed("the frame buffer is not 32-bit little-endian")
        rows = []
        for y in range(height):
            row = data[start + y * stride:start + y * stride + 4 * width]
            rgb = bytearray(3 * width)
            rgb[0::3], rgb[1::3], rgb[2::3] = row[2::4], row[1::4], row[0::4]
            rows.append(bytes(rgb))
        return width, height, b"".join(rows)

    def colors(self):
        """How many different colours the screen shows."""
        _, _, rgb = self.pixels()
        return len({rgb[i:i + 3] for i in range(0, len(rgb), 3)})

    def pixel(self, x, y):
        width, _, rgb = self.pixels()
        return tuple(rgb[3 * (y * width + x):][:3])

    def save(self, path):
        width, height, rgb = self.pixels()

        def chunk(kind, body):
            return struct.pack(">I", len(body)) + kind + body + \
                struct.pack(">I", zlib.crc32(kind + body))
        rows = b"".join(b"\0" + rgb[y * 3 * width:(y + 1) * 3 * width]
                        for y in range(height))
        with open(path, "wb") as file:
            file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(
                ">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
                chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class Program:
    """A program under test, on a screen, with its reports."""

    def __init__(self, screen, argv, cwd=None):
        if "/" in argv[0]:
            argv = [os.path.abspath(argv[0]), *argv[1:]]
        self.screen, self.reports = screen, []
        self.changed = threading.Condition()
        self.complaints = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            argv, env=screen.env, cwd=cwd or screen.folder, preexec_fn=_tied,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.complaints,
            text=True)
        self.seen = 0  # reports before this were waited for already
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        _end(self.process, 10.0)
        self.reader.join(5.0)
        self.process.stdout.close()
        self.complaints.close()

    def _read(self):
        for line in self.process.stdout:
            try:
                report = json.loads(line)
            except ValueError:
                report = {"not_json": line}
            with self.changed:
                self.reports.append(report)
                self.changed.notify_all()
        with self.changed:
            self.reports.append(None)  # the end of its output
            self.changed.notify_all()

    def stderr(self):
        self.complaints.seek(0)
        return self.complaints.read()

    def wait(self, what, predicate, patience=PATIENCE):
        """The next report that fits; those before it are passed over."""
        until = time.monotonic() + patience
        with self.changed:
            while True:
                while self.seen < len(self.reports):
                    report = self.reports[self.seen]
                    if report is None:
                        raise Failed(f"the program ended, code {self.exit_code()}, "
                                     f"before {what}: " + self.stderr()[-2000:])
                    self.seen += 1
                    if predicate(report):
                        return report
                if not self.changed.wait(until - time.monotonic()):
                    last = self.reports[-1] if self.reports else "nothing"
                    raise Failed(f"no {what} in {patience:g} s; last report: "
                                 + str(last)[:300])

    def wait_event(self, name):
        return self.wait(name, lambda r: r.get("event") == name)

    def exit_code(self, patience=PATIENCE):
        try:
            return self.process.wait(patience)
        except subprocess.TimeoutExpired:
            raise Failed(f"still running after {patience:g} s") from None

    def window(self):
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            run = subprocess.run(
                ["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid)],
                env=self.screen.env, capture_output=True, text=True, timeout=PATIENCE)
            if run.stdout.split():
                return run.stdout.split()[-1]
            if self.process.poll() is not None:
                raise Failed("the program ended without a window: " + self.stderr())
            time.sleep(0.02)
        raise Failed("no window")

    # Hands. Positions are in the window.

    def type(self, text):
        self.screen.tool("xdotool", "type", "--delay", "12", "--", text)

    def key(self, *names):
        self.screen.tool("xdotool", "key", "--delay", "30", *names)

    def _to(self, x, y):
        return ["mousemove", "--window", self.window(), str(int(x)), str(int(y))]

    def move(self, x, y):
        self.screen.tool("xdotool", *self._to(x, y))

    def click(self, x, y, button=1):
        self.screen.tool("xdotool", *self._to(x, y), "click", str(button))

    def drag(self, x0, y0, x1, y1, steps=10):
        path = []
        for i in range(1, steps + 1):
            path += self._to(x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps)
            path += ["sleep", "0.02"]
        self.screen.tool("xdotool", *self._to(x0, y0), "mousedown", "1", *path,
                         "mouseup", "1")

    def place(self, x, y):
        self.screen.tool("xdotool", "windowmove", "--sync", self.window(), str(x), str(y))

    def resize(self, width, height):
        self.screen.tool("xdotool", "windowsize", "--sync", self.window(), str(width),
                         str(height))

    def terminate(self):
        self.process.send_signal(signal.SIGTERM)


def skip_all(why):
    print(f"1..0 # SKIP {why}")
    raise SystemExit(0)


def run_cases(cases, screen_size=(1600, 1000), characters=""):
    """Runs each case(screen) in TAP, named by its docstring; one server for all."""
    if lacking():
        skip_all("not installed: " + ", ".join(lacking()))
    print(f"1..{len(cases)}", flush=True)
    failures = 0
    with Screen(*screen_size) as screen:
        screen.bind(characters)
        for number, case in enumerate(cases, 1):
            name = case.__doc__.split("\n")[0].rstrip(".")
            try:
                case(screen)
                print(f"ok {number} - {name}", flush=True)
            except Exception as why:  # whatever it is, the case failed
                failures += 1
                print(f"not ok {number} - {name}")
                print("# " + str(why).replace("\n", "\n# "), flush=True)
    raise SystemExit(1 if failures else 0)
