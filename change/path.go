package change

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// PathText is the path as text that any program can carry, also one that is
// not valid UTF-8, which JSON cannot hold: then it stands in double quotes with
// its bytes escaped as git shows it (core.quotePath). So does a path that
// begins with a double quote; every other path stands for itself.
func PathText(path string) string {
	if utf8.ValidString(path) && !strings.HasPrefix(path, `"`) {
		return path
	}
	var out strings.Builder
	out.WriteByte('"')
	for _, c := range []byte(path) {
		switch {
		case c == '"' || c == '\\':
			out.WriteByte('\\')
			out.WriteByte(c)
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&out, `\%03o`, c)
		default:
			out.WriteByte(c)
		}
	}
	return out.String() + `"`
}

// PathFromText is the inverse of PathText. It fails on a quoted text that
// nobody could have written.
func PathFromText(text string) (string, error) {
	if !strings.HasPrefix(text, `"`) {
		return text, nil
	}
	path, err := strconv.Unquote(text)
	if err != nil {
		return "", fmt.Errorf("%s is no path as git quotes it", text)
	}
	return path, nil
}

// MarshalJSON writes the edit with its path as PathText gives it.
func (e Edit) MarshalJSON() ([]byte, error) {
	type plain Edit
	e.Path = PathText(e.Path)
	return MarshalPlain(plain(e))
}

// UnmarshalJSON is the inverse of MarshalJSON.
func (e *Edit) UnmarshalJSON(data []byte) (err error) {
	type plain Edit
	if err := json.Unmarshal(data, (*plain)(e)); err != nil {
		return err
	}
	e.Path, err = PathFromText(e.Path)
	return err
}

// MarshalPlain is json.Marshal without the escapes that only a browser needs:
// for types that write themselves into a report, which has none.
func MarshalPlain(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}
