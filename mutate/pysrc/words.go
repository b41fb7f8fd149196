package pysrc

import (
	"unicode"
	"unicode/utf8"
)

// words says which files of a list have a word, by their places in it.
type words map[string][]int

// mentioning returns the places in s.paths of the files that have one of the
// words. The first call reads them all.
func (s *study) mentioning(asked []string) (map[int]bool, error) {
	found := map[int]bool{}
	if len(asked) == 0 {
		return found, nil
	}
	if s.words == nil {
		s.words = words{}
		for i, p := range s.paths {
			content, err := s.content(p)
			if err != nil {
				return nil, err
			}
			s.words.add(i, content)
		}
	}
	for _, w := range asked {
		for _, i := range s.words[w] {
			found[i] = true
		}
	}
	return found, nil
}

// add takes in the file at a place. Bytes that are not UTF-8 end a word: a name
// that is not ASCII in a file of another encoding is not found.
func (w words) add(place int, content []byte) {
	for len(content) > 0 {
		n := wordLength(content)
		if n == 0 {
			_, size := utf8.DecodeRune(content)
			content = content[size:]
			continue
		}
		if in := w[string(content[:n])]; len(in) == 0 || in[len(in)-1] != place {
			w[string(content[:n])] = append(in, place)
		}
		content = content[n:]
	}
}

func wordLength(content []byte) int {
	n := 0
	for n < len(content) {
		r, size := utf8.DecodeRune(content[n:])
		if r == utf8.RuneError || r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		n += size
	}
	return n
}
