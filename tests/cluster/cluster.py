#!/usr/bin/env python3
"""`tracetty cluster` over Slurm and MPI: 64 ranks on a cluster of 4 and of 8 nodes that this machine plays
(tests/cluster/slurm).

With srun, with an array of sbatch and with mpirun the result equals that of `summarize`, byte for byte, and names the
simulated straggler. Then the failures of clusters: a rank is killed, a task is killed, a file is cut, one is missing,
a partition does not exist, the user presses Ctrl-C. Lines "skip" name missing packages. NODES="4" runs with one size
only."""
import filecmp
import glob
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "cli"))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "tools"))
import _cluster  # noqa: E402
from _cluster import (BIN, LATE, cluster, cut, make, ranks_in, report, said, straggler, trace_of, wait_caused, work_folder)  # noqa: E402
from until import until  # noqa: E402

SLURM = os.path.join(HERE, "slurm")
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}


def stand_in(tmp):
    """A stand-in for tracetty in the script of a run. Files beside it make it misbehave at `summarize`: .kill ends it
    at the rank named there; .task ends its whole task at that rank, once; .hold stops all parts after the first,
    until the file is removed."""
    path = tmp + "/stand-in"
    with open(path, "w") as f:
        f.write("#!/usr/bin/env bash\n"
                "me=%s\n"
                "parent() { ps -o ppid= \"$1\" | tr -d ' '; }\n"
                "if [ \"$1\" = summarize ]; then\n"
                "    [[ -e $me.kill && ${*: -1} == *$(cat $me.kill)* ]] && kill -9 $$\n"
                "    if [[ -e $me.task && ${*: -1} == *$(cat $me.task)* ]]; then\n"
                "        rm $me.task\n"
                "        xargs=$(parent $PPID)\n"
                "        kill -9 $(parent $xargs) $xargs $PPID $$\n"
                "    fi\n"
                "    [ -e $me.hold ] && ! mkdir $me.first 2>/dev/null && while [ -e $me.hold ]; do sleep 0.02; done\n"
                "fi\n"
                "exec %s \"$@\"\n" % (path, shlex.quote(os.path.abspath(BIN))))
    os.chmod(path, 0o755)
    return path


def with_stand_in(program):
    """The environment through which sbatch, srun and mpirun put the stand-in into tracetty's script before a task
    reads it."""
    folder = program + ".bin"
    os.makedirs(folder, exist_ok=True)
    for tool in filter(shutil.which, ("sbatch", "srun", "mpirun")):
        with open(os.path.join(folder, tool), "w") as f:
            f.write("#!/usr/bin/env bash\n"
                    "for a; do [[ $a != */cluster.sh ]] || sed -i 's#^tracetty=.*#tracetty=%s#' \"$a\"; done\n"
                    "exec %s \"$@\"\n" % (program, shutil.which(tool)))
        os.chmod(os.path.join(folder, tool), 0o755)
    return dict(os.environ, PATH=folder + ":" + os.environ["PATH"], **MPI)


def script_of(tmp, program, folder, out, *options):
    """The script of a run whose tasks use another program."""
    text = cluster("--dry-run", "-o", out, *options, folder).stdout.decode()
    lines = ["tracetty=" + program if line.startswith("tracetty=") else line for line in text.split("\n")]
    path = tmp + "/script.sh"
    with open(path, "w") as f:
        f.write("\n".join(lines))
    return path


def salloc(nodes, tasks, *command, **more):
    return subprocess.run(["salloc", "-Q", "-N%d" % nodes, *(["-n%d" % tasks] if tasks else []), *command], capture_output=True,
                          stdin=subprocess.DEVNULL, **more)


def engines(tmp, nodes, source, truth, single, all_ways):
    def same(r, out, what, words):
        report(r.returncode == 0 and os.path.exists(out) and filecmp.cmp(out, single, shallow=False) and words in r.stderr.decode(),
               "%d nodes, %s: the result is that of summarize, byte for byte" % (nodes, what), said(r))
        report(straggler(out) == (LATE, wait_caused(truth)[LATE]) and not os.path.exists(work_folder(out)),
               "%d nodes, %s: the straggler, and nothing is left behind" % (nodes, what), straggler(out))

    out = tmp + "/array.tts"
    same(cluster("-o", out, source), out, "an array of sbatch, by itself", "by sbatch")
    program = [BIN, "cluster", "--at-end", "nothing", "-o"]
    out = tmp + "/srun.tts"
    same(salloc(nodes, 4 * nodes, *program, out, source), out, "srun in an allocation, by itself", "by srun")
    if not all_ways:
        return
    out = tmp + "/whole.tts"
    same(cluster("-o", out, "--nodes", str(nodes), "--partition", "work", "--time", "5", "--pass=--nice=1", source), out, "whole nodes", "by sbatch")
    out = tmp + "/node.tts"
    same(salloc(nodes, 0, *program, out, "--tasks", str(nodes), source), out, "srun, a task a node", "by srun")
    out = tmp + "/step.tts"
    same(salloc(nodes, 0, "srun", "-N1", "-n1", *program, out, source), out, "srun within a step of one task", "by srun")
    again = salloc(nodes, 0, "srun", "-n2", *program, tmp + "/twice.tts", source)
    report(again.returncode != 0 and "call it once" in again.stderr.decode(), "%d nodes: started twice it refuses" % nodes, said(again))


def mpi(tmp, source, truth, single):
    if not shutil.which("mpirun"):
        print("skip mpirun: not installed (package openmpi-bin)")
        return
    out = tmp + "/mpi.tts"
    r = cluster("--engine", "mpirun", "--tasks", "4", "-o", out, source, env=MPI)
    report(r.returncode == 0 and filecmp.cmp(out, single, shallow=False), "mpirun: the result is that of summarize, byte for byte", said(r))
    report(straggler(out) == (LATE, wait_caused(truth)[LATE]), "mpirun: the straggler", straggler(out))
    nothing_else = tmp + "/bin"  # a PATH with mpirun only
    os.makedirs(nothing_else, exist_ok=True)
    for tool in ("mpirun", "bash", "env", "seq", "xargs", "rm", "hostname", "orted", "cat", "ssh"):
        if shutil.which(tool) and not os.path.exists(os.path.join(nothing_else, tool)):
            os.symlink(shutil.which(tool), os.path.join(nothing_else, tool))
    r = cluster("-o", tmp + "/only.tts", source, env=dict(MPI, PATH=nothing_else, OMPI_MCA_plm="isolated"))
    report(r.returncode == 0 and "by mpirun" in r.stderr.decode(), "mpirun is taken where there is nothing else", said(r))
    # srun ends all tasks when one dies: another pass does the work of the others
    program = stand_in(tmp)
    with open(program + ".task", "w") as f:
        f.write("rank20.")
    out = tmp + "/mpikill.tts"
    r = subprocess.run(["bash", script_of(tmp, program, source, out, "--engine", "mpirun", "--tasks", "4")], capture_output=True,
                       env=dict(os.environ, **MPI))
    report(not os.path.exists(program + ".task") and r.returncode == 0 and filecmp.cmp(out, single, shallow=False),
           "mpirun: a task is killed, and nothing is lost", said(r))
    shutil.rmtree(work_folder(out), ignore_errors=True)


def losses(tmp, nodes, source):
    folder = tmp + "/losses%d" % nodes
    shutil.copytree(source, folder)
    os.remove(trace_of(folder, 12))
    cut(trace_of(folder, 20))
    program = stand_in(tmp)
    with open(program + ".kill", "w") as f:
        f.write("rank50.")
    for what, options, start in (("sbatch", (), ["bash"]), ("srun", ("--engine", "srun"), ["salloc", "-Q", "-N%d" % nodes, "bash"])):
        out = tmp + "/losses-%s.tts" % what
        env = dict(os.environ, SLURM_JOB_ID="1") if what == "srun" else os.environ
        script = script_of_in(env, tmp, program, folder, out, *options)
        r = subprocess.run([*start, script], capture_output=True)
        found = ranks_in(out) if os.path.exists(out) else []
        report(r.returncode == 0 and found == [k for k in range(64) if k not in (12, 50)],
               "%d nodes, %s: one rank killed, one cut, one missing: the others are there" % (nodes, what), (said(r), found))
        report(straggler(out)[0] == LATE, "%d nodes, %s: and the straggler is the right one" % (nodes, what), straggler(out))
        os.remove(program + ".kill")
        # tracetty itself continues the unfinished work of the script, and says which parts are missing
        r = cluster("--require-all", "-o", out, folder)
        text = r.stderr.decode()
        report(r.returncode == 1 and "62 of 63 ranks were done before" in text and "1 of 64 ranks are missing: 12" in text,
               "%d nodes, %s: the killed one is made up for; --require-all: 1, with the missing one named" % (nodes, what), said(r))
        with open(program + ".kill", "w") as f:
            f.write("rank50.")
    os.remove(program + ".kill")
    shutil.rmtree(folder)


def script_of_in(env, *args):
    """--engine srun asks for an allocation first; the script gets it later."""
    before = os.environ.get("SLURM_JOB_ID")
    if "SLURM_JOB_ID" in env:
        os.environ["SLURM_JOB_ID"] = env["SLURM_JOB_ID"]
    try:
        return script_of(*args)
    finally:
        if before is None:
            os.environ.pop("SLURM_JOB_ID", None)


def killed_task(tmp, nodes, source, single):
    """SIGKILL of whole tasks: with srun another pass does their work; with sbatch the loss is listed, and the next
    call does it."""
    program = stand_in(tmp)

    def lose_one(*command):
        with open(program + ".task", "w") as f:
            f.write("rank20.")
        r = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, env=with_stand_in(program))
        return r, not os.path.exists(program + ".task")

    out = tmp + "/task.tts"
    r, happened = lose_one("salloc", "-Q", "-N%d" % nodes, "-n%d" % nodes, BIN, "cluster", "--at-end", "nothing", "-o", out, source)
    report(happened and r.returncode == 0 and filecmp.cmp(out, single, shallow=False), "srun: a task is killed, and nothing is lost", said(r))
    out = tmp + "/job.tts"
    r, happened = lose_one(BIN, "cluster", "--at-end", "nothing", "--tasks", "4", "-o", out, source)
    text = r.stderr.decode()
    named = text.count("its task ended early")
    lost = 64 - len(ranks_in(out))
    report(happened and r.returncode == 0 and lost and named == min(lost, 8) and "%d of 64 ranks are missing in it" % lost in text,
           "sbatch: a task is killed: its ranks are listed, the others are in the result", (happened, lost, text))
    r = cluster("-o", out, source)
    report(r.returncode == 0 and filecmp.cmp(out, single, shallow=False), "sbatch: the next call makes up for it", said(r))


def refused(tmp, source):
    out = tmp + "/refused.tts"
    r = cluster("--partition", "nowhere", "-o", out, source)
    report(r.returncode == 3 and "nvalid partition" in r.stderr.decode() and not os.path.exists(out),
           "a partition that does not exist: Slurm's own words, status 3", said(r))
    r = salloc(1, 1, BIN, "cluster", "--pass=--distribution=nonsense", "-o", out, source)
    report(r.returncode == 3 and "srun: error" in r.stderr.decode() and not os.path.exists(out),
           "an option that srun does not take: its own words, status 3", said(r))


def command_of(engine, out, source):
    start = ["salloc", "-Q", "-N2", "-n8"] if engine == "srun" else []
    return [*start, BIN, "cluster", "--at-end", "nothing", "--engine", engine, "--tasks", "4", "-o", out, source]


def heeds_signals():
    """In a new process: restore the signals that a shell ignores for background commands."""
    for sent in signal.SIGINT, signal.SIGHUP:
        signal.signal(sent, signal.SIG_DFL)


def begun(engine, out, source):
    """Starts a run that stops after its first part, and waits until that part is done. Returns the run with
    tracetty's process number and the file whose removal lets it continue."""
    program = stand_in(os.path.dirname(out))
    hold = program + ".hold"
    open(hold, "w").close()
    shutil.rmtree(program + ".first", ignore_errors=True)
    p = subprocess.Popen(command_of(engine, out, source), stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, env=with_stand_in(program),
                         preexec_fn=heeds_signals)
    until(lambda: glob.glob(work_folder(out) + "/*.tts") or p.poll() is not None)
    return p, int(next((pid for pid, c in processes() if c.startswith(BIN + " cluster") and out in c), p.pid)), hold


def nothing_left(out):
    jobs = until(lambda: not subprocess.run(["squeue", "-h"], capture_output=True).stdout.strip())
    return jobs and until(lambda: not [c for _, c in processes() if work_folder(out) in c])


def cancelled(tmp, source):
    for engine in filter(shutil.which, ("sbatch", "srun", "mpirun")):
        out = "%s/cancel-%s.tts" % (tmp, engine)
        p, target, hold = begun(engine, out, source)
        os.kill(target, signal.SIGINT)
        said_ = p.communicate()[1].decode()
        ended = p.returncode == -signal.SIGINT or engine == "srun"  # salloc returns a status of its own
        report(ended and "cancelled with" in said_ and not os.path.exists(out),
               "%s: Ctrl-C ends it, with no result" % engine, (p.returncode, said_))
        report(nothing_left(out), "%s: no job and no process is left" % engine, [c for _, c in processes() if work_folder(out) in c])
        os.remove(hold)


def killed(tmp, source, single):
    """Hangs tracetty up or kills it, and runs the command again at once: processes left from the first run do not end
    the second."""
    for engine in filter(shutil.which, ("sbatch", "srun", "mpirun")):
        for sent in signal.SIGHUP, signal.SIGKILL:
            out = "%s/killed-%s-%s.tts" % (tmp, engine, sent.name)
            p, target, hold = begun(engine, out, source)
            os.kill(target, sent)
            p.communicate()
            os.remove(hold)
            r = subprocess.run(command_of(engine, out, source), capture_output=True, stdin=subprocess.DEVNULL, env=dict(os.environ, **MPI))
            report(r.returncode == 0 and filecmp.cmp(out, single, shallow=False), "%s: %s, then again: the whole result" % (engine, sent.name), said(r))
            report(nothing_left(out), "%s: %s: no job and no process is left" % (engine, sent.name), [c for _, c in processes() if work_folder(out) in c])


def processes():
    for pid in os.listdir("/proc"):
        if pid.isdigit():
            try:
                with open("/proc/%s/cmdline" % pid, "rb") as f:
                    yield pid, f.read().replace(b"\0", b" ").decode("utf-8", "replace")
            except OSError:
                pass


def with_cluster(nodes, work):
    with tempfile.TemporaryDirectory() as tmp:
        up = subprocess.run([SLURM, "up", tmp + "/slurm", str(nodes)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            if not report(up.returncode == 0, "a cluster of %d nodes is up" % nodes, up.stderr):
                return
            os.environ["SLURM_CONF"] = tmp + "/slurm/slurm.conf"
            work(tmp)
        finally:
            subprocess.run([SLURM, "down", tmp + "/slurm"])
            os.environ.pop("SLURM_CONF", None)


def main():
    missing = subprocess.run([SLURM, "check"], capture_output=True, text=True).stdout.strip()
    with tempfile.TemporaryDirectory() as tmp:
        source, single = tmp + "/run", tmp + "/single.tts"
        truth = make(source)
        subprocess.run([BIN, "summarize", source, "-o", single], check=True)
        if missing:
            print("skip Slurm: %s" % missing.replace("\n", ", "))
            mpi(tmp, source, truth, single)
            sys.exit(_cluster.failed != 0)

        def everything(nodes, first):
            def work(here):
                engines(here, nodes, source, truth, single, first)
                losses(here, nodes, source)
                if first:
                    mpi(here, source, truth, single)
                    refused(here, source)
                    killed_task(here, nodes, source, single)
                    cancelled(here, source)
                    killed(here, source, single)
            return work

        for i, nodes in enumerate(map(int, os.environ.get("NODES", "4 8").split())):
            with_cluster(nodes, everything(nodes, i == 0))
    sys.exit(_cluster.failed != 0)


main()
