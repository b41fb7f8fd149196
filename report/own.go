package report

import "bytes"

// ownLook is how much of a text Own reads: every mark stands near the top.
const ownLook = 4096

// Own reports whether text is a report that assay wrote, in any of its formats
// that go to files. A report which lies about in the tree that is proven is no
// part of the change.
func Own(text []byte) bool {
	head := text[:min(ownLook, len(text))]
	for _, mark := range []string{
		`{` + "\n" + `  "schema": "assay.`,
		generator,
		`"id": "assay/`, // of a SARIF run
		`<testsuites name="assay"`,
		`"check_name": "assay/`,
		`"framework": {` + "\n" + `    "name": "assay"`,
	} {
		if bytes.Contains(head, []byte(mark)) {
			return true
		}
	}
	return bytes.HasPrefix(head, []byte(Marker))
}

// generator is what the pages say of themselves.
const generator = `<meta name="generator" content="assay">`
