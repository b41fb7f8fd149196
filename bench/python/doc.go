// Command python measures what assay costs on Python code beside mutmut and
// cosmic-ray, on the same files of the same projects with one job each, in one
// run; and whether assay's fates are those of a plain pytest with the mutant on
// disk.
//
//	go run ./bench/python -assay BIN -python PYTHON -work DIR             the two ratios
//	go run ./bench/python -assay BIN -python PYTHON -work DIR -agree 200  the agreement
//
// PYTHON is the interpreter of a virtual environment that holds pytest, mutmut,
// cosmic-ray and what the projects' tests need. Projects are source
// distributions from PyPI, fetched with its pip and copied below -work.
//
// Wall and CPU are those of the whole command, all it waited for included:
// baseline, statistics, generation. assay and mutmut run every mutant that they
// make of the files. cosmic-ray, which starts pytest anew for each mutant, runs
// a random sample of -cosmic mutants a project: it has next to no cost beside
// them. Mutants per second count what cost a run.
package main
