package typed

import (
	"crypto/sha256"
	"go/token"
	"sync"
)

// Bounds of what is kept of edited states beside head: enough for a search
// that comes back to the same texts, small beside head itself.
const (
	keptFiles   = 512
	keptResults = 256
)

// A cache keeps parsed files and checked packages of edited states by content,
// up to a bound; the oldest go first. It is safe for concurrent use.
type cache struct {
	fset *token.FileSet

	mu        sync.Mutex
	files     store[fileKey, *file]
	instances store[string, func() (*instance, error)]
}

type fileKey struct {
	path string
	sum  [sha256.Size]byte
}

func newCache(fset *token.FileSet) *cache {
	c := &cache{fset: fset}
	c.files = newStore[fileKey](keptFiles, (*file).forget)
	c.instances = newStore[string, func() (*instance, error)](keptResults, nil)
	return c
}

// file returns the file of this path and content.
func (c *cache) file(path string, src []byte) *file {
	f := newFile(c.fset, path, src)
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.files.get(fileKey{path, f.sum}, func() *file { return f })
}

// pinned returns a file that is kept as long as it is referred to.
func (c *cache) pinned(path string, src []byte) *file { return newFile(c.fset, path, src) }

// instance returns the checked package of this key; one caller makes it while
// others wait.
func (c *cache) instance(key string, make func() (*instance, error)) (*instance, error) {
	c.mu.Lock()
	get := c.instances.get(key, func() func() (*instance, error) { return sync.OnceValues(make) })
	c.mu.Unlock()
	return get()
}

// A store is a map of bounded size.
type store[K comparable, V any] struct {
	max     int
	byKey   map[K]V
	order   []K
	dropped func(V) // may be nil
}

func newStore[K comparable, V any](max int, dropped func(V)) store[K, V] {
	return store[K, V]{max: max, byKey: map[K]V{}, dropped: dropped}
}

func (s *store[K, V]) get(key K, make func() V) V {
	if v, ok := s.byKey[key]; ok {
		return v
	}
	v := make()
	s.byKey[key] = v
	s.order = append(s.order, key)
	if len(s.order) > s.max {
		oldest := s.byKey[s.order[0]]
		delete(s.byKey, s.order[0])
		s.order = s.order[1:]
		if s.dropped != nil {
			s.dropped(oldest)
		}
	}
	return v
}
