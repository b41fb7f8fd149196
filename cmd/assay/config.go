package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/agnivade/levenshtein"
	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/pflag"

	"assay/change"
)

// configName is the file that is read from the root of the repository.
const configName = "assay.toml"

// theFlags is what messages call the command line, where a file has its name.
const theFlags = "the flags"

// A Config is assay.toml with the flags laid over it. docs/configuration.md
// describes each key.
type Config struct {
	Base        string   `toml:"base"`
	Jobs        int      `toml:"jobs"`
	Budget      Duration `toml:"budget"`
	Hang        string   `toml:"hang"`
	Python      string   `toml:"python"`
	TestCommand string   `toml:"test_command"`
	JUnit       []string `toml:"junit"`
	Link        []string `toml:"link"`
	Copy        []string `toml:"copy"`
	FailOn      []string `toml:"fail_on"`
	Kinds       Kinds    `toml:"kinds"`
	Go          GoConfig `toml:"go"`
	Env         []EnvSet `toml:"env"`
	Probe       []Probed `toml:"probe"`
}

// Kinds are globs (doublestar, relative to the repository's root) that say
// which part a file plays; they win over what a language says.
type Kinds struct {
	Production []string `toml:"production"`
	Support    []string `toml:"support"`
	Test       []string `toml:"test"`
	Data       []string `toml:"data"`
	Inert      []string `toml:"inert"`
	Generated  []string `toml:"generated"`
}

// A GoConfig is how Go's tests are built.
type GoConfig struct {
	Flags []string `toml:"flags"` // build flags, such as "-race"
	Tags  []string `toml:"tags"`
}

// BuildFlags returns the flags for go build and go test.
func (g GoConfig) BuildFlags() []string {
	flags := append([]string(nil), g.Flags...)
	if len(g.Tags) > 0 {
		flags = append(flags, "-tags="+strings.Join(g.Tags, ","))
	}
	return flags
}

// A Duration is written "10m" in TOML.
type Duration time.Duration

// UnmarshalText reads Go's notation of durations.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	*d = Duration(v)
	return err
}

// globs pairs each kind with its globs, in the order in which they are tried.
func (k Kinds) globs() []kindGlobs {
	return []kindGlobs{
		{change.Generated, k.Generated}, {change.Inert, k.Inert}, {change.Test, k.Test},
		{change.Support, k.Support}, {change.Data, k.Data}, {change.Production, k.Production},
	}
}

type kindGlobs struct {
	kind  change.Kind
	globs []string
}

// readConfig reads the configuration of the repository at root, or the file
// that --config names. No file at root is an empty configuration.
func readConfig(root, named string) (Config, error) {
	path := named
	if path == "" {
		path = filepath.Join(root, configName)
	}
	text, err := os.ReadFile(path)
	if named == "" && errors.Is(err, fs.ErrNotExist) {
		return Config{}, nil
	}
	if err != nil {
		return Config{}, mistakef("cannot read the configuration: %w", err)
	}
	return parseConfig(filepath.Base(path), string(text))
}

func parseConfig(name, text string) (Config, error) {
	var c Config
	meta, err := toml.Decode(text, &c)
	if err != nil {
		return Config{}, mistakef("%s: %w", name, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return Config{}, mistakef("%s: unknown key %q%s", name, unknown[0], nearest(unknown[0].String(), "known keys", keysOf(reflect.TypeFor[Config](), "")))
	}
	return c, c.check(name)
}

// check refuses values that cannot mean anything.
func (c Config) check(name string) error {
	if c.Jobs < 0 || c.Budget < 0 {
		return mistakef("%s: jobs and budget cannot be negative", name)
	}
	if c.Hang != "" && c.Hang != "proven" && c.Hang != "inconclusive" {
		return mistakef("%s: hang is %q; it can be proven or inconclusive", name, c.Hang)
	}
	for _, p := range c.Probe {
		if _, err := p.expectation(name); err != nil {
			return err
		}
	}
	where := name + ": fail_on"
	if name == theFlags {
		where = "--fail-on"
	}
	for _, k := range c.Kinds.globs() {
		for _, glob := range k.globs {
			if !doublestar.ValidatePattern(glob) {
				return mistakef("%s: kinds.%s: %q is not a glob", name, k.kind, glob)
			}
		}
	}
	if err := c.checkEnv(name); err != nil {
		return err
	}
	return checkFailOn(where, c.FailOn)
}

// keysOf lists the keys of a configuration struct, dotted.
func keysOf(t reflect.Type, prefix string) []string {
	var keys []string
	for f := range t.Fields() {
		key := prefix + f.Tag.Get("toml")
		keys = append(keys, key)
		if f.Type.Kind() == reflect.Struct {
			keys = append(keys, keysOf(f.Type, key+".")...)
		}
	}
	return keys
}

// nearest suggests the known word that is fewest edits away, when that is
// near enough to be a slip; otherwise it lists them all as what they are.
func nearest(word, what string, known []string) string {
	best, distance := "", max(2, len(word)/3)+1
	for _, k := range known {
		if d := levenshtein.ComputeDistance(word, k); d < min(distance, len(word)) {
			best, distance = k, d
		}
	}
	if len(known) == 0 {
		return ""
	}
	if best == "" {
		return "; " + what + ": " + strings.Join(known, ", ")
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// overlay lays the flags that were given over the configuration.
func (c *Config) overlay(flags *pflag.FlagSet, f *proveFlags) {
	given := func(name string, set func()) {
		if flags.Changed(name) {
			set()
		}
	}
	given("jobs", func() { c.Jobs = f.jobs })
	given("budget", func() { c.Budget = Duration(f.budget) })
	given("hang", func() { c.Hang = f.hang })
	given("python", func() { c.Python = f.python })
	given("test-command", func() { c.TestCommand = f.testCommand })
	given("junit", func() { c.JUnit = f.junit })
	if f.failOn != nil {
		c.FailOn = f.failOn
	}
	if c.FailOn == nil {
		c.FailOn = strings.Split(defaultFailOn, ",")
	}
}
