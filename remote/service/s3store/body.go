package s3store

import (
	"errors"
	"io"
	"sync"
)

// body is what a request sends. A request that has failed may read on in what was
// given to it, beside the next attempt and when its memory has other content: each
// attempt has a body of its own, which ends with it.
type body struct {
	mu   sync.Mutex // guards the fields below
	left []byte
	over bool
}

var errOver = errors.New("the request is over")

func (b *body) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.over {
		return 0, errOver
	}
	if len(b.left) == 0 {
		return 0, io.EOF
	}
	n := copy(p, b.left)
	b.left = b.left[n:]
	return n, nil
}

func (b *body) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left, b.over = nil, true
}
