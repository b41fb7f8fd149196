package main

import (
	"maps"
	"slices"
	"strings"

	"assay/prove"
)

// An EnvSet is variables under which the tests run as well.
type EnvSet struct {
	Name string            `toml:"name"`
	Set  map[string]string `toml:"set"`
}

// environment is the set as the proof takes it, sorted.
func (e EnvSet) environment() prove.EnvSet {
	out := prove.EnvSet{Name: e.Name}
	for _, key := range slices.Sorted(maps.Keys(e.Set)) {
		out.Env = append(out.Env, key+"="+e.Set[key])
	}
	return out
}

// envSets are the sets of the configuration.
func (c Config) envSets() []prove.EnvSet {
	var out []prove.EnvSet
	for _, e := range c.Env {
		out = append(out, e.environment())
	}
	return out
}

// checkEnv refuses sets that cannot be told apart or say nothing.
func (c Config) checkEnv(name string) error {
	seen := map[string]bool{}
	for _, e := range c.Env {
		switch {
		case e.Name == "" || len(e.Set) == 0:
			return mistakef(`%s: every [[env]] needs a name and variables, such as name = "tokyo", set = {TZ = "Asia/Tokyo"}`, name)
		case seen[e.Name]:
			return mistakef("%s: two [[env]] sets are named %q", name, e.Name)
		}
		seen[e.Name] = true
		for key := range e.Set {
			if key == "" || strings.ContainsAny(key, "=\x00") {
				return mistakef("%s: env %s: %q cannot be the name of a variable", name, e.Name, key)
			}
		}
	}
	return nil
}
