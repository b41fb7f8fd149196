"""Runs pytest as `python -m pytest` would, with assay's plugin in it.

Why a launcher and not only `-p`: pytest itself imports packages that may be
the very project under proof (attrs, packaging, pluggy), so the redirection
and the probes have to stand before pytest is imported.
"""
import os
import runpy
import sys


def run(path):
    own = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    forget(own)
    from assay_pytest import arguments, hits, job as current, record, redirect, sources

    job = current.read(path)
    current.set(job)
    record.open(job["records"])
    if job["zygote"]:
        from assay_pytest import zygote

        zygote.enter(job["tree"])
    if job["bare"]:
        from assay_pytest import bare

        bare.enter()
    redirect.install(job["origin"], job["tree"])
    if job["probes"] or job["watch"]:
        hits.install(job["tree"], job["probes"], job["watch"], os.path.dirname(job["records"]), own)
    sources.install(job["tree"], job["codes"])
    sys.argv = ["pytest"] + arguments.of(job)
    runpy.run_module("pytest", run_name="__main__", alter_sys=True)


def forget(own):
    """Takes assay's directory off the paths that tests and their children see."""
    sys.path[:] = [p for p in sys.path if os.path.abspath(p or ".") != own or not p]
    kept = [p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if os.path.abspath(p or ".") != own]
    os.environ["PYTHONPATH"] = os.pathsep.join(kept)


def leave(code):
    """Ends the process at once: a thread left behind by a test must not look like a hang."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:  # a test closed or replaced it; there is nothing left to flush
            pass
    os._exit(code)


if __name__ == "__main__":
    try:
        run(sys.argv[1])
        leave(0)
    except SystemExit as end:
        code = end.code
        if code is not None and not isinstance(code, int):
            print(code, file=sys.stderr)
            code = 1
        leave(int(code or 0))
