package pysrc

import (
	"context"
	"errors"
	"io"
)

var _ io.Closer = (*Source)(nil)

// with runs ask with a helper that nobody else asks: the one that waits, or a
// new one. When ask fails, or ctx ends meanwhile, the helper is ended.
func (s *Source) with(ctx context.Context, ask func(*helper) error) error {
	h := s.take()
	if h == nil {
		var err error
		if h, err = start(ctx, s.python); err != nil {
			return err
		}
	}
	kept := context.AfterFunc(ctx, h.kill)
	err := ask(h)
	kept()
	if err != nil || ctx.Err() != nil {
		_ = h.end() // what failed says why
		return errors.Join(ctx.Err(), err)
	}
	return s.put(h).end()
}

// Close ends the helper that waits for another call.
func (s *Source) Close() error { return s.take().end() }

func (s *Source) take() *helper {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.idle
	s.idle = nil
	return h
}

// put lets a helper wait and returns the one that waited already, if any.
func (s *Source) put(h *helper) *helper {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.idle
	s.idle = h
	return before
}
