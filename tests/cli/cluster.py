#!/usr/bin/env python3
"""`tracetty cluster` on this machine only: the result equals that of `summarize`, byte for byte; lost parts are listed
and affect no others; finished work is not repeated; any file name is quoted; the script of --dry-run gives the same
result. tests/cluster/cluster.py tests Slurm and MPI."""
import filecmp
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from until import until  # noqa: E402

from _cluster import (BIN, LATE, cluster, cut, make, ranks_in, report, said, straggler, trace_of, wait_caused, work_folder)
import _cluster

LOCAL = ("--engine", "local")


def whole(tmp):
    folder, single = tmp + "/run", tmp + "/single.tts"
    truth = make(folder)
    subprocess.run([BIN, "summarize", folder, "-o", single], check=True)
    r = cluster(*LOCAL, folder)
    report(r.returncode == 0 and filecmp.cmp(single, folder + ".tts", shallow=False),
           "the result lies beside the folder and is that of summarize, byte for byte", said(r))
    report(folder + ".tts: 64 ranks" in r.stderr.decode(), "it says where the result is", said(r))
    report(not os.path.exists(work_folder(folder + ".tts")), "its own folder is gone")
    report(straggler(folder + ".tts") == (LATE, wait_caused(truth)[LATE]), "the straggler and what it cost are those of the simulation",
           (straggler(folder + ".tts"), wait_caused(truth)[LATE]))
    r = cluster(*LOCAL, "--table", "comm_ranks", "--format", "csv", "-o", tmp + "/else.tts", folder)
    report(r.returncode == 0 and r.stdout.decode().split("\n")[1].startswith("rank%d," % LATE) and
           filecmp.cmp(single, tmp + "/else.tts", shallow=False), "-o and --table", said(r))
    r = cluster(*LOCAL, "-o", folder + "/inside.tts", folder)
    again = cluster(*LOCAL, "-o", folder + "/inside.tts", folder)
    report(r.returncode == again.returncode == 0 and filecmp.cmp(single, folder + "/inside.tts", shallow=False),
           "the result may lie among the traces", said(r) + said(again))
    return folder


def losses(tmp, source):
    folder = tmp + "/losses"
    shutil.copytree(source, folder)
    os.remove(trace_of(folder, 12))
    cut(trace_of(folder, 20))
    open(trace_of(folder, 40), "w").close()
    before = os.stat(trace_of(folder, 40))
    r = cluster(*LOCAL, folder)
    report(r.returncode == 0, "a rank missing, one cut, one empty: status 0", said(r))
    text = r.stderr.decode()
    report("rank40." in text and "is empty" in text, "the empty one is named with its reason", said(r))
    report("2 of 64 ranks are missing: 12, 40" in text, "missing ranks are listed", said(r))
    report("1 of 63 ranks are missing in it" in text and os.path.isdir(work_folder(folder + ".tts")), "its own folder stays and is named", said(r))
    found = ranks_in(folder + ".tts")
    report(found == [k for k in range(64) if k not in (12, 40)], "all others are in the result", found)
    report(straggler(folder + ".tts")[0] == LATE, "and the straggler is still the right one", straggler(folder + ".tts"))
    r = cluster(*LOCAL, "--require-all", folder)
    report(r.returncode == 1 and os.path.exists(folder + ".tts"), "status 1 under --require-all", said(r))
    report("62 of 63 ranks were done before" in r.stderr.decode(), "what was done is not done again", said(r))
    shutil.copy(trace_of(source, 40), trace_of(folder, 40))
    r = cluster(*LOCAL, folder)
    report(r.returncode == 0 and "62 of 63 ranks were done before" in r.stderr.decode() and 40 in ranks_in(folder + ".tts"),
           "the mended one is added", said(r))
    report(before.st_size == 0 and not os.path.exists(work_folder(folder + ".tts")), "then its own folder goes")


def resumed(tmp, source):
    """Parts of an earlier run are used only if they are complete and their input is unchanged."""
    out = tmp + "/resumed.tts"
    work = work_folder(out)
    cluster(*LOCAL, "--keep", "-o", out, source)
    single = open(out, "rb").read()
    parts = sorted(f for f in os.listdir(work) if f.endswith(".tts"))
    report(len(parts) == 64 and os.path.exists(work + "/cluster.sh"), "--keep: a part for each rank, and the script", os.listdir(work))
    times = {f: os.stat(os.path.join(work, f)).st_mtime_ns for f in parts}
    script = open(work + "/cluster.sh").read()
    changed = "part-%s.tts" % re.search(r"id=(\w+) input=\S*%s" % re.escape(os.path.basename(trace_of(source, 5))), script).group(1)
    damaged, cut_off, gone = [p for p in parts if p != changed][3:30:9]
    with open(os.path.join(work, damaged), "r+b") as f:
        f.seek(-20, 2)
        byte = f.read(1)
        f.seek(-1, 1)
        f.write(bytes([byte[0] ^ 16]))
    os.truncate(os.path.join(work, cut_off), 1000)
    os.remove(os.path.join(work, gone))
    os.utime(trace_of(source, 5))
    r = cluster(*LOCAL, "--keep", "-o", out, source)
    after = {f: os.stat(os.path.join(work, f)).st_mtime_ns for f in os.listdir(work) if f.endswith(".tts")}
    same = [f for f in parts if after.get(f) == times[f]]
    report(len(same) == 60 and not {damaged, cut_off, gone} & set(same) and len(after) == 64,
           "parts that are damaged, cut, gone or of a changed input are made again, and no others", (len(same), len(after), said(r)))
    report(open(out, "rb").read() == single, "and the result is the same")
    r = cluster(*LOCAL, "--fresh", "-o", out, source)
    report("were done before" not in r.stderr.decode() and r.returncode == 0, "--fresh: all are made again", said(r))


HOSTILE = ["two words", "it's", 'say "so"', "a\nb", "tail\n", "$(touch HERE)", "`touch HERE`", "back\\slash", "-o", "*?[a]", "%j%%", "tab\there",
           "\u00e4\u4e2d", b"raw\xff\x1b[31m", "END_OF_SCRIPT\nEND_OF_SCRIPT_"]


def hostile(tmp, source):
    """Folders with hostile names, a trace in each, all given as one run, and the result in one more such folder."""
    root = os.fsencode(tmp) + b"/hos'tile \"\n;dir"
    names = [n if isinstance(n, bytes) else n.encode() for n in HOSTILE]
    for k, name in enumerate(names):
        os.makedirs(os.path.join(root, b"in put", name))
        shutil.copy(trace_of(source, k), os.fsdecode(os.path.join(root, b"in put", name, b"rank%d.pt.trace.json" % k)))
    nodes = [os.path.join(root, b"in put", n) for n in names]
    out, single, piped = (os.path.join(root, b"$(touch HERE) " + n) for n in (b"all.tts", b"single.tts", b"piped.tts"))
    subprocess.run([BIN, "summarize", "-o", single, *nodes], check=True, capture_output=True)
    r = cluster(*LOCAL, "-o", out, *nodes, cwd=tmp)
    report(r.returncode == 0 and filecmp.cmp(out, single, shallow=False), "names with quotes, blanks, newlines, escapes: nothing is lost",
           said(r))
    text = subprocess.run([BIN, "cluster", *LOCAL, "--dry-run", "-o", piped, *nodes], capture_output=True)
    controls = {c for c in text.stdout.decode() if ord(c) < 32 or 127 <= ord(c) < 160} - {"\n"}
    few = cluster(*LOCAL, "-o", tmp + "/few.tts", root + b"/in put")
    report(few.returncode == 0 and "was taken, the newest" in few.stderr.decode() and "63 of 64 ranks are missing" in few.stderr.decode(),
           "a folder of several runs is its newest one, which is said", said(few))
    report(text.returncode == 0 and not controls and not text.stderr, "--dry-run prints no control, whatever names hold", controls)
    report(not os.path.exists(work_folder(os.fsdecode(piped))), "--dry-run makes nothing")
    syntax = subprocess.run(["bash", "-n"], input=text.stdout, capture_output=True)
    report(syntax.returncode == 0 and not syntax.stderr, "bash -n accepts it", syntax.stderr)
    ran = subprocess.run(["bash"], input=text.stdout, capture_output=True, cwd=tmp)
    report(ran.returncode == 0 and filecmp.cmp(piped, single, shallow=False), "bash runs it, to the same result", (ran.returncode, ran.stderr))
    left = [f for d, _, files in os.walk(tmp) for f in files if f == "HERE"]
    report(not left and not os.path.exists("HERE"), "no name was run as a command", left)


def formats(tmp):
    """Inputs that are folders, databases and archives, in place of one file for each rank."""
    shutil.make_archive(tmp + "/zipped/run", "zip", os.path.join(_cluster.TOP, "assets/sample_gpu"))
    for sample in ("assets/sample_ascend", "assets/sample_mindinsight", "assets/sample_paddle", "assets/sample_xla", tmp + "/zipped"):
        name = os.path.basename(sample)
        one, all_of_it = tmp + "/%s.one.tts" % name, tmp + "/%s.tts" % name
        subprocess.run([BIN, "summarize", os.path.join(_cluster.TOP, sample), "-o", one], check=True, capture_output=True)
        r = cluster(*LOCAL, "-o", all_of_it, os.path.join(_cluster.TOP, sample))
        report(r.returncode == 0 and filecmp.cmp(one, all_of_it, shallow=False), "%s: that of summarize" % name, said(r))


def relative(tmp, source):
    os.makedirs(tmp + "/rel")
    os.symlink(source, tmp + "/rel/link")
    r = cluster(*LOCAL, "link/", cwd=tmp + "/rel", env={"PWD": tmp + "/rel"})
    report(r.returncode == 0 and os.path.exists(tmp + "/rel/link.tts"), "a relative name with a slash, through a link", said(r))
    r = cluster(*LOCAL, ".", cwd=source)
    report(r.returncode == 0 and os.path.exists(source + ".tts"), "the current folder has its own name", said(r))


def refusals(tmp, source):
    for what, args, status, words in (
            ("no DIR", (), 2, "no DIR given"),
            ("a DIR that is not there", (tmp + "/nothing",), 3, "nothing"),
            ("several folders without -o", (source, source), 2, "-o RUN.tts"),
            ("--tasks 0", ("--tasks", "0", source), 2, "--tasks"),
            ("an unknown engine", ("--engine", "pbs", source), 2, "not one of auto, srun"),
            ("--threads none", ("--threads", "none", source), 2, "--threads"),
            ("a place that cannot be written", ("-o", "/proc/run.tts", source), 3, "-o chooses another place")):
        r = cluster(*(() if "--engine" in args else LOCAL), *args)
        report(r.returncode == status and words in r.stderr.decode(), "%s: refused" % what, said(r))
    r = cluster("--engine", "srun", source, env={"SLURM_JOB_ID": "", "PATH": tmp + "/bin"})
    report(r.returncode == 2 and "not on the PATH" in r.stderr.decode(), "srun where there is none", said(r))
    r = cluster(*LOCAL, source, env={"OMPI_COMM_WORLD_SIZE": "4"})
    report(r.returncode == 2 and "call it once" in r.stderr.decode(), "under mpirun", said(r))
    shutil.copytree(source, tmp + "/empties")
    for k in range(64):
        open(trace_of(tmp + "/empties", k), "w").close()
    r = cluster(*LOCAL, tmp + "/empties")
    report(r.returncode == 3 and "0 of 64 ranks done" in r.stderr.decode() and not os.path.exists(tmp + "/empties.tts"),
           "nothing can be read: status 3, no result", said(r))


def interrupted(tmp, source):
    """Ctrl-C ends the command with all its processes at once, and finished parts stay; only one command may run at a
    time."""
    big = tmp + "/big"
    subprocess.run([sys.executable, os.path.join(_cluster.TOP, "tests/tools/make_ranks.py"), big, "--ranks", "16", "--per-node", "8",
                    "--steps", "200", "--calls", "8"], check=True)
    out = tmp + "/big.tts"
    p = subprocess.Popen([BIN, "cluster", *LOCAL, "--tasks", "2", big], stderr=subprocess.PIPE)
    work = work_folder(out)
    until(lambda: os.path.isdir(work) and any(f.endswith(".tts") for f in os.listdir(work)))
    second = cluster(*LOCAL, big)
    report(second.returncode == 3 and "another tracetty cluster" in second.stderr.decode() and "'kill %d'" % p.pid in second.stderr.decode(),
           "a second one for the same result is refused, and told who is at work", said(second))
    p.send_signal(signal.SIGINT)
    text = p.communicate()[1].decode()
    report(until(lambda: not alive_in(work)), "none of its processes is left", alive_in(work))
    done = len([f for f in os.listdir(work) if f.endswith(".tts")])
    report(p.returncode == -signal.SIGINT and "cancelled with" in text, "Ctrl-C ends it as the signal does", (p.returncode, text))
    report(0 < done < 16 and not os.path.exists(out), "what was done is kept, and there is no result", done)
    r = cluster(*LOCAL, big)
    report(r.returncode == 0 and "%d of 16 ranks were done before" % done in r.stderr.decode(), "the same command goes on", said(r))


def state_of(pid):
    try:
        with open("/proc/%d/stat" % pid) as f:
            return f.read().rsplit(")", 1)[1].split()[0]
    except OSError:
        return "X"


def stopped(p, work):
    """Wait for a process of the run that reads an input, and stop it, so that the run cannot end before it
    continues."""
    while p.poll() is None:
        for pid in [pid for pid, command in processes() if " summarize " in command and work in command][:1]:
            state = state_of(pid)
            while state not in "TXZ":
                try:
                    os.kill(pid, signal.SIGSTOP)
                except ProcessLookupError:
                    pass
                state = state_of(pid)
            if state == "T":
                return pid
    return None


def start(*args, **more):
    return subprocess.Popen([BIN, "cluster", "--at-end", "nothing", *LOCAL, "--tasks", "2", *args], stderr=subprocess.PIPE, text=True,
                            stdin=subprocess.DEVNULL, **more)


def left_behind(tmp):
    """A run that is hung up or killed ends. A process that it leaves holds the folder until it ends; the same command
    waits for it."""
    big, out, tools = tmp + "/big", tmp + "/left.tts", tmp + "/slow"
    work = work_folder(out)
    os.makedirs(tools)
    with open(tools + "/seq", "w") as f:  # the script calls seq; this double leaves a process deaf to signals until the test ends it
        f.write("#!/usr/bin/env bash\n(trap '' HUP INT TERM; echo $BASHPID >%s/pid.new; mv %s/pid.new %s/pid\n"
                "while [ ! -e %s/go ]; do sleep 0.05; done) <&- >/dev/null 2>&1 &\nexec %s \"$@\"\n" % (tools, tools, tools, tools, shutil.which("seq")))
    os.chmod(tools + "/seq", 0o755)
    for sent in signal.SIGHUP, signal.SIGKILL:
        p = start("-o", out, "--fresh", big, env=dict(os.environ, PATH=tools + ":" + os.environ["PATH"]))
        until(lambda: p.poll() is not None or os.path.exists(tools + "/pid"))
        p.send_signal(sent)
        p.communicate()
        with open(tools + "/pid") as f:
            left = f.read().strip()
        again = start("-o", out, big)
        line = again.stderr.readline()
        while line and "waiting for the end" not in line:
            line = again.stderr.readline()
        report(left in re.findall(r"\d+", line) and again.poll() is None, "%s: the same command waits for what is left, and names it" % sent.name,
               (left, line))
        report(p.returncode == -sent, "%s: the first has ended by it" % sent.name, p.returncode)
        open(tools + "/go", "w").close()
        text = again.communicate()[1]
        report(again.returncode == 0 and len(ranks_in(out)) == 16, "%s: then it makes the whole result" % sent.name, text)
        report(not alive_in(work) and not os.path.exists(work), "%s: nothing of the first is left" % sent.name, alive_in(work))
        for path in out, tools + "/pid", tools + "/go":
            os.remove(path)
    p = start("-o", out, big, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    held = stopped(p, work)
    p.send_signal(signal.SIGHUP)
    os.kill(held, signal.SIGCONT)
    text = p.communicate()[1]
    report(p.returncode == 0, "under nohup a hangup ends nothing", (p.returncode, text))


def by_hand(tmp):
    """A user who runs the script has the folder exclusively, too."""
    big, out = tmp + "/big", tmp + "/hand.tts"
    work = work_folder(out)
    if not shutil.which("flock"):
        print("skip a script by hand locks the folder: no flock (package util-linux)")
        return
    with open(tmp + "/hand.sh", "wb") as f:
        f.write(cluster(*LOCAL, "--tasks", "2", "--dry-run", "-o", out, big).stdout)
    p = subprocess.Popen(["bash", tmp + "/hand.sh"], stderr=subprocess.PIPE, text=True, start_new_session=True)
    held = stopped(p, work)
    r = cluster(*LOCAL, "-o", out, big)
    report(r.returncode == 3 and "'kill %d'" % p.pid in r.stderr.decode(), "beside a script that a person runs it is refused", said(r))
    second = subprocess.run(["bash", work + "/cluster.sh", "run"], capture_output=True)
    report(second.returncode == 3 and b"another run is at work" in second.stderr, "and so is the script itself", second)
    p.send_signal(signal.SIGTERM)
    try:
        os.kill(held, signal.SIGCONT)  # then the pending SIGTERM ends it
    except ProcessLookupError:
        pass
    p.communicate()
    report(p.returncode == 130, "the script ends when it is asked to, with what it started", p.returncode)
    again = subprocess.run(["bash", work + "/cluster.sh", "run"], capture_output=True)
    report(again.returncode == 0 and len(ranks_in(out)) == 16, "and goes on when it is run again", again)


def earlier(tmp, source):
    """Tasks left from an earlier run, on other nodes and in Slurm's queue, start nothing more and end no later run."""
    out, tools = tmp + "/earlier.tts", tmp + "/tools"
    work = work_folder(out)
    os.makedirs(work, mode=0o700)
    os.makedirs(tools)
    with open(work + "/run", "w") as f:
        f.write("tracetty-old-1 1 elsewhere sbatch\n")
    with open(tools + "/squeue", "w") as f:
        f.write("#!/bin/sh\n[ \"$2\" = --name=tracetty-old-1 ] && printf '77_[0-3]\\n78\\n'\n")
    os.chmod(tools + "/squeue", 0o755)
    r = cluster(*LOCAL, "--keep", "-o", out, source, env={"PATH": tools + ":" + os.environ["PATH"]})
    text = r.stderr.decode()
    report(r.returncode == 0 and "77_[0-3] and others" in text and "'scancel --name=tracetty-old-1'" in text,
           "jobs of an earlier run are named, with the command that ends them", said(r))
    with open(work + "/cluster.sh") as f:
        script = f.read()
    with open(tmp + "/old.sh", "w") as f:
        f.write(re.sub("^job=.*", "job=tracetty-old-1", script, flags=re.M))
    part = sorted(n for n in os.listdir(work) if n.endswith(".tts"))[0]
    number = re.search(r"^ +(\d+)\) id=%s " % part[5:-4], script, flags=re.M).group(1)
    os.remove(os.path.join(work, part))
    old = subprocess.run(["bash", tmp + "/old.sh", "part", number], capture_output=True)
    merged = subprocess.run(["bash", tmp + "/old.sh", "merge"], capture_output=True)
    report(old.returncode == 255 and merged.returncode == 130 and not os.path.exists(os.path.join(work, part)), "its tasks begin nothing more",
           (old, merged))
    new = subprocess.run(["bash", work + "/cluster.sh", "part", number], capture_output=True)
    report(new.returncode == 0 and os.path.exists(os.path.join(work, part)), "those of this run do", new)


def processes():
    for pid in os.listdir("/proc"):
        if pid.isdigit():
            try:
                with open("/proc/%s/cmdline" % pid, "rb") as f:
                    yield int(pid), f.read().replace(b"\0", b" ").decode("utf-8", "replace")
            except OSError:
                pass


def alive_in(work):
    return [c for _, c in processes() if work in c]


def main():
    with tempfile.TemporaryDirectory() as tmp:
        source = whole(tmp)
        losses(tmp, source)
        resumed(tmp, source)
        hostile(tmp, source)
        formats(tmp)
        relative(tmp, source)
        refusals(tmp, source)
        interrupted(tmp, source)
        left_behind(tmp)
        by_hand(tmp)
        earlier(tmp, source)
    sys.exit(_cluster.failed != 0)


main()
