package s3store

import (
	"errors"
	"io"
	"sync"
)

// body is the body of a request. A failed request may continue to read its body, concurrently
// with the next attempt and after the memory is reused. So each attempt has its own body, which
// ends with the attempt.
type body struct {
	mu   sync.Mutex // guards the fields below
	left []byte
	over bool
}

var errEnded = errors.New("the request has ended")

func (b *body) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.over {
		return 0, errEnded
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
