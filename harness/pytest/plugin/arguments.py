"""What pytest is started with."""


def of(job):
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
