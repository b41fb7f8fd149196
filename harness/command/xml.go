package command

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"unicode/utf8"
)

var (
	prolog = regexp.MustCompile(`^\s*<\?xml[^>]*\?>`)
	latin  = regexp.MustCompile(`(?i)encoding\s*=\s*["'](?:iso-8859-1|latin-?1|windows-1252)["']`)
	// charRef matches references to the control characters XML 1.0 forbids.
	charRef = regexp.MustCompile(`&#(?:x0*(?:[0-8BCEFbcef]|1[0-9A-Fa-f])|0*(?:[0-8]|1[124-9]|2[0-9]|3[01]));`)
)

// legalXML makes a document that encoding/xml accepts of what runners write:
// colour codes and other control characters go, a byte order mark and the
// prolog go, Latin-1 becomes UTF-8, and invalid bytes become U+FFFD.
func legalXML(data []byte) []byte {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if head := prolog.Find(data); head != nil {
		data = data[len(head):]
		if latin.Match(head) && !utf8.Valid(data) {
			data = fromLatin1(data)
		}
	}
	data = charRef.ReplaceAll(data, nil)
	data = bytes.ToValidUTF8(data, []byte("\ufffd"))
	return bytes.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == '\ufffe' || r == '\uffff' {
			return -1
		}
		return r
	}, data)
}

func fromLatin1(data []byte) []byte {
	out := make([]rune, len(data))
	for i, b := range data {
		out[i] = rune(b)
	}
	return []byte(string(out))
}

// flatten turns every testsuites element into a nameless testsuite and counts
// the testcases. go-junit drops the testcases that stand directly in
// testsuites, which is where node:test writes its top-level tests. Tags are
// spliced by offset, so that the text of a failure is never touched.
func flatten(data []byte) (flat []byte, testcases int, err error) {
	dec := xml.NewDecoder(bytes.NewReader(data))
	at := 0
	splice := func(start int64, tag string) {
		flat = append(append(flat, data[at:start]...), tag...)
		at = int(dec.InputOffset())
	}
	for {
		start := dec.InputOffset()
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return append(flat, data[at:]...), testcases, nil
		}
		if err != nil {
			return nil, 0, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if t.Name.Local == "testsuites" {
				splice(start, "<testsuite>")
			}
			if t.Name.Local == "testcase" {
				testcases++
			}
		case xml.EndElement:
			if t.Name.Local == "testsuites" {
				splice(start, "</testsuite>")
			}
		}
	}
}
