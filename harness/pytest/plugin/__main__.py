"""Runs pytest as `python -m pytest` would, with assay's plugin in it.

Why a launcher and not only `-p`: pytest itself imports packages that may be
the very project under proof (attrs, packaging, pluggy), so the redirection
and the probes have to stand before pytest is imported.
"""
import json
import os
import runpy
import sys


def run(path):
    with open(path, encoding="utf-8") as f:
        job = {name: [] if value is None and name != "select" else value for name, value in json.load(f).items()}
    own = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    forget(own)
    from assay_pytest import hits, job as current, record, redirect, sources

    current.set(job)
    record.open(job["records"])
    if job["zygote"]:
        from assay_pytest import zygote

        zygote.enter(job["tree"])
    redirect.install(job["origin"], job["tree"])
    if job["probes"] or job["watch"]:
        hits.install(job["tree"], job["probes"], job["watch"], os.path.dirname(job["records"]), own)
    sources.install(job["tree"], job["bytecode"])
    sys.argv = ["pytest"] + arguments(job)
    runpy.run_module("pytest", run_name="__main__", alter_sys=True)


def forget(own):
    """Takes assay's directory off the paths that tests and their children see."""
    sys.path[:] = [p for p in sys.path if os.path.abspath(p or ".") != own or not p]
    kept = [p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if os.path.abspath(p or ".") != own]
    os.environ["PYTHONPATH"] = os.pathsep.join(kept)


def arguments(job):
    """Pins what pytest would otherwise look for in the parents of the tree."""
    return [
        "-c", configuration(job),
        "--rootdir", job["tree"],
        "--confcutdir", job["tree"],
        "--basetemp", job["basetemp"],
        "-o", "cache_dir=" + job["cache"],
        "-p", "assay_pytest.plugin",
        "--continue-on-collection-errors",
    ] + job["flags"] + job["files"]


def configuration(job):
    """The tree's own configuration file as pytest would choose it, else an empty one."""
    from _pytest.config.findpaths import load_config_dict_from_file
    from pathlib import Path

    for name in ("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"):
        path = Path(job["tree"], name)
        if not path.is_file():
            continue
        try:
            found = load_config_dict_from_file(path)
        except Exception:  # pytest then reports the broken file itself, better than we could
            return str(path)
        if found is not None:
            return str(path)
    return job["empty_ini"]


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
