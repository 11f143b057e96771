package service

import (
	"crypto/sha256"
	"hash"
	"sync/atomic"

	"paperfs/remote/service/store"
)

const (
	// asideFrom is how many bytes of content are taken as they come.
	asideFrom = 256 << 10
	// asidePiece is how many of the others are taken at a time.
	asidePiece = 128 << 10
)

// intake hashes content and keeps it in a draft: large content behind the
// reading and decoding of more.
type intake struct {
	draft  store.Draft
	sum    hash.Hash
	size   int64 // bytes written
	aside  behind[byte]
	inline bool                  // everything is taken as it comes, in less memory
	failed atomic.Pointer[error] // the draft's first
}

func newIntake(draft store.Draft) *intake {
	i := &intake{draft: draft, sum: sha256.New()}
	i.aside = behind[byte]{size: asidePiece, work: i.take}
	return i
}

// Write may give the error of a piece before. After an error it takes nothing.
func (i *intake) Write(p []byte) (int, error) {
	if i.size += int64(len(p)); i.inline || i.size <= asideFrom {
		i.take(p)
	} else {
		i.aside.add(p...)
	}
	if err := i.failed.Load(); err != nil {
		return 0, *err
	}
	return len(p), nil
}

func (i *intake) take(p []byte) {
	if len(p) == 0 || i.failed.Load() != nil {
		return
	}
	i.sum.Write(p)
	if _, err := i.draft.Write(p); err != nil {
		i.failed.Store(&err)
	}
}

// end returns once all that was written is in the draft, with the draft's
// error. It may be called again.
func (i *intake) end() error {
	i.aside.end()
	if err := i.failed.Load(); err != nil {
		return *err
	}
	return nil
}
