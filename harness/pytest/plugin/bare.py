"""The bare process: it has loaded pytest and its plugins, nothing of the project, and forks for every run.

It stops where pytest is about to load the first conftest. All that a fresh
process did until then is the same for every run of a tree: it depends on the
environment, on the configuration, and on what is installed. Each child takes up
the arguments of its own run there and goes on as a fresh process does: it loads
conftests, collects and runs from the disk as that is then.
"""
import importlib
import os
import sys

from assay_pytest import arguments, job as current, record, threads, zygote
from assay_pytest.places import Place, loaded


def enter():
    """Takes the streams and begins to watch threads; called before pytest is imported."""
    zygote.take()
    threads.begin()


def become(plugin, config, args):
    """Comes back in the child of a fork, with the job and the arguments of its own run.

    args is the list that pytest reads again once conftests are loaded; it ends with those of
    this process.
    """
    own = arguments.of(current.all())
    why = _first(plugin, config)
    if not why and args[len(args) - len(own):] != own:
        why = "pytest was given other arguments"
    tree = Place(current.get("tree"))
    hidden = _hidden(tree)
    # What is loaded already: the project is a plugin of pytest, or a part of it.
    files = [record.text(rel) for rel in loaded(tree)]
    job = zygote.forks({"why": why, "threads": threads.left(), "loaded": files}, lambda job: None)
    current.set(job)
    record.open(job["records"])
    if _hidden(tree) != hidden:
        record.write("refused", why="the tree has a module of the name of one that is loaded from elsewhere")
        os._exit(0)
    zygote.temporary(job["tmp"])
    importlib.invalidate_caches()
    args[len(args) - len(own):] = arguments.of(job)
    sys.argv[1:] = arguments.of(job)
    config.known_args_namespace.file_or_dir = list(job["files"])
    given = config.invocation_params
    config.invocation_params = type(given)(args=tuple(sys.argv[1:]), plugins=given.plugins, dir=given.dir)


def _first(plugin, config):
    """Why the hook that this is called from is not the first of its kind, or ""."""
    last = config.hook.pytest_load_initial_conftests.get_hookimpls()[-1]  # the last is called first
    return "" if last.plugin is plugin else "the plugin %s comes first" % last.plugin_name


def _hidden(tree):
    """The modules loaded from elsewhere that a fresh process would now look for in the tree first."""
    roots = [p for p in sys.path if tree.relative(os.path.join(p, "x.py")) is not None]
    names = {os.path.splitext(entry)[0] for root in roots if os.path.isdir(root) for entry in os.listdir(root)}
    return {n for n in names if n in sys.modules and tree.relative(getattr(sys.modules[n], "__file__", None)) is None}
