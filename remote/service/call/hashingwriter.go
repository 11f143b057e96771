package call

import (
	"crypto/sha256"
	"hash"
	"sync/atomic"

	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
)

const (
	// asideFrom is how many bytes of content Write takes itself.
	asideFrom = 256 << 10
	// asidePiece is how many further bytes the goroutine takes at a time.
	asidePiece = 128 << 10
)

// hashingWriter hashes content and writes it to a draft. It does that in a goroutine for
// large content, while its caller reads and decodes more.
type hashingWriter struct {
	draft  store.Draft
	sum    hash.Hash
	size   int64 // bytes written
	aside  answer.Worker[byte]
	inline bool                  // Write takes all bytes itself, in less memory
	failed atomic.Pointer[error] // first error of the draft
}

func newHashingWriter(draft store.Draft) *hashingWriter {
	w := &hashingWriter{draft: draft, sum: sha256.New()}
	w.aside = answer.Worker[byte]{Size: asidePiece, Work: w.take}
	return w
}

// known is the hash of content whose SHA-256 is known.
type known [sha256.Size]byte

func (k known) Write(p []byte) (int, error) { return len(p), nil }

func (k known) Sum(b []byte) []byte { return append(b, k[:]...) }

func (k known) Reset() {}

func (k known) Size() int { return sha256.Size }

func (k known) BlockSize() int { return sha256.BlockSize }

// Write may return the error of an earlier piece. After an error it writes nothing.
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

// end returns once the draft has all bytes, with the draft's error. It may be called
// again.
func (w *hashingWriter) end() error {
	w.aside.End()
	if err := w.failed.Load(); err != nil {
		return *err
	}
	return nil
}
