package service

import (
	"crypto/sha256"
	"hash"
	"sync/atomic"

	"paperfs/remote/service/batch"
	"paperfs/remote/service/store"
)

const (
	// asideFrom is how many bytes of content are taken as they come.
	asideFrom = 256 << 10
	// asidePiece is how many of the others are taken at a time.
	asidePiece = 128 << 10
)

// hashingWriter hashes content and keeps it in a draft: large content beside the
// reading and decoding of more.
type hashingWriter struct {
	draft  store.Draft
	sum    hash.Hash
	size   int64 // bytes written
	aside  batch.Worker[byte]
	inline bool                  // everything is taken as it comes, in less memory
	failed atomic.Pointer[error] // the draft's first
}

func newHashingWriter(draft store.Draft) *hashingWriter {
	w := &hashingWriter{draft: draft, sum: sha256.New()}
	w.aside = batch.Worker[byte]{Size: asidePiece, Work: w.take}
	return w
}

// Write may return the error of an earlier piece. After an error it takes nothing.
func (w *hashingWriter) Write(p []byte) (int, error) {
	if w.size += int64(len(p)); w.inline || w.size <= asideFrom {
		w.take(p)
	} else {
		w.aside.Add(p...)
	}
	if err := w.failed.Load(); err != nil {
		return 0, *err
	}
	return len(p), nil
}

func (w *hashingWriter) take(p []byte) {
	if len(p) == 0 || w.failed.Load() != nil {
		return
	}
	w.sum.Write(p)
	if _, err := w.draft.Write(p); err != nil {
		w.failed.Store(&err)
	}
}

// end returns once all that was written is in the draft, with the draft's
// error. It may be called again.
func (w *hashingWriter) end() error {
	w.aside.End()
	if err := w.failed.Load(); err != nil {
		return *err
	}
	return nil
}
