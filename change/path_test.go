package change_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"assay/change"
)

func TestAPathIsTextAndComesBack(t *testing.T) {
	for path, text := range map[string]string{
		"a/b.go":          "a/b.go",
		"größe.py":        "größe.py",
		`mid"dle\`:        `mid"dle\`,
		`"first`:          `"\"first"`,
		"caf\xe9.txt":     `"caf\351.txt"`,
		"\xff\"\\\n\x01/": `"\377\"\\\012\001/"`,
	} {
		if got := change.PathText(path); got != text {
			t.Errorf("%q is written %s, want %s", path, got, text)
		}
		if got, err := change.PathFromText(text); err != nil || got != path {
			t.Errorf("%s is read as %q (%v), want %q", text, got, err, path)
		}
	}
	if _, err := change.PathFromText(`"\9"`); err == nil {
		t.Error("a text that nobody writes is read as a path")
	}
}

func FuzzPathText(f *testing.F) {
	f.Add("caf\xe9.txt")
	f.Fuzz(func(t *testing.T, path string) {
		data, err := json.Marshal(change.Edit{Path: path})
		if err != nil || !utf8.Valid(data) {
			t.Fatalf("%q is written %q (%v)", path, data, err)
		}
		var back change.Edit
		if err := json.Unmarshal(data, &back); err != nil || back.Path != path {
			t.Errorf("%q comes back as %q (%v)", path, back.Path, err)
		}
	})
}
