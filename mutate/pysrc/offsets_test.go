package pysrc

import (
	"context"
	"testing"

	"assay/change"
	"assay/mutate/mutatetest"
)

// Controls are byte offsets of the file as it is, whatever its encoding and
// line ends.
func TestControlsLandOnTheStatementInOddFiles(t *testing.T) {
	for _, c := range []struct{ name, base, head, want string }{
		{
			"latin-1", "# coding: latin-1\ndef f():\n    s = '\xe9'; return 1\n", "# coding: latin-1\ndef f():\n    s = '\xe9\xe9'; return 1\n",
			"# coding: latin-1\ndef f():\n    raise BaseException(\"assay: planted failure\")\n    s = '\xe9\xe9'; return 1\n",
		},
		{
			"latin-1, inside a line", "# coding: latin-1\nif '\xe9': x = 1\n", "# coding: latin-1\nif '\xe9': x = 2\n",
			"# coding: latin-1\nif '\xe9': raise BaseException(\"assay: planted failure\"); x = 2\n",
		},
		{
			"byte order mark", "\xef\xbb\xbfx = 1\n", "\xef\xbb\xbfx = 2\n",
			"\xef\xbb\xbfraise BaseException(\"assay: planted failure\")\nx = 2\n",
		},
		{
			"CRLF", "x = 1\r\n", "x = 2\r\n",
			"raise BaseException(\"assay: planted failure\")\r\nx = 2\r\n",
		},
		{
			"no final line end, deletion", "def f():\n    x = 1\n    y = 2\n    z = 3", "def f():\n    x = 1\n    y = 2",
			"def f():\n    x = 1\n    raise BaseException(\"assay: planted failure\")\n    y = 2",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			ch := mutatetest.Change(map[string]string{"a.py": c.base}, map[string]string{"a.py": c.head})
			notes, err := closing(t, of(testPython(t), map[string]string{"a.py": c.head})).Study(context.Background(), ch, ch.Files)
			if err != nil {
				t.Fatal(err)
			}
			n := notes[ch.Hunks()[0].Units[0]]
			got, err := change.Apply([]byte(c.head), n.Control)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != c.want {
				t.Errorf("got\n%q\nwant\n%q", got, c.want)
			}
		})
	}
}
