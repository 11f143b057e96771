package answer

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"sync"
)

// WritePart is how many bytes of an answer go out at a time, and the most of it
// that waits in memory for its client.
const WritePart = 64 << 10

// SpoolFrom is the least answer, in bytes on the wire, that goes through a
// file.
const SpoolFrom = 32 << 10

// Spool is the last step of an answer. A large one goes through a file, so that
// it is made as fast as the store can be read: a client that takes its time
// holds up no snapshot of the store, and the store's log can be cleared. What the disk has
// no room for waits in memory.
type Spool struct {
	w      http.ResponseWriter
	create func() (*os.File, error)
	from   int // SpoolFrom
	// Room is for what the file does not take; an answer for which it has none is broken
	// off. nil: there is room for all.
	Room *Room

	buffer []byte   // what is too little for the file
	file   *os.File // without a name; nil before
	taken  bool     // another closes the file
	full   bool     // the file failed
	rest   [][]byte // what it did not take, in memory
	held   int64    // bytes of rest

	mu     sync.Mutex
	moved  sync.Cond // any of the fields below has changed; its lock is mu
	size   int64     // of the file
	ended  bool      // nothing is added any more
	sender sync.WaitGroup
	err    error // of sending
}

// NewSpool makes a spool of an answer to w. Its file, should it need one, is in
// dir.
func NewSpool(w http.ResponseWriter, dir string, from int) *Spool {
	s := &Spool{w: w, from: from, create: func() (*os.File, error) { return namelessFile(dir) }}
	s.moved.L = &s.mu
	return s
}

func (s *Spool) Write(p []byte) (int, error) {
	if s.full {
		return len(p), s.hold(p)
	}
	if s.file == nil && len(s.buffer)+len(p) < s.from {
		s.buffer = append(s.buffer, p...)
		return len(p), nil
	}
	rest, err := s.spill(p)
	if err != nil {
		s.full = true
		err = errors.Join(s.hold(s.buffer), s.hold(rest))
		s.buffer = nil
	}
	return len(p), err
}

// spill returns what it could not write to the file.
func (s *Spool) spill(p []byte) (rest []byte, err error) {
	if s.file == nil {
		if s.file, err = s.create(); err != nil {
			return p, err
		}
		s.sender.Go(s.sendFile)
		p, s.buffer = append(s.buffer, p...), nil
	}
	n, err := s.file.Write(p)
	s.mu.Lock()
	s.size += int64(n)
	s.mu.Unlock()
	s.moved.Signal()
	return p[n:], err
}

// hold keeps in memory what goes out behind the file. Nobody waits for the client here: who
// makes the answer has a place, or a connection to the records, for which others wait.
func (s *Spool) hold(p []byte) error {
	if !s.Room.take(int64(len(p))) {
		return errNoRoom
	}
	s.held += int64(len(p))
	s.rest = append(s.rest, bytes.Clone(p))
	return nil
}

// end returns when all is sent, or cannot be.
func (s *Spool) end() error {
	s.stop(nil)
	return s.err
}

// Finish is end for an answer that is whole.
func (s *Spool) Finish() error {
	if s.file == nil && !s.full {
		return s.Send(s.buffer)
	}
	err := s.end()
	for _, p := range s.rest {
		if err == nil {
			err = s.Send(p)
		}
	}
	return err
}

// stop ends the sending: when all has gone out, or at once where err tells why.
func (s *Spool) stop(err error) {
	s.mu.Lock()
	s.ended = true
	if s.err == nil {
		s.err = err
	}
	s.mu.Unlock()
	s.moved.Signal()
	s.sender.Wait()
}

// Discard is called after everything else; it does nothing to a file that was
// taken.
func (s *Spool) Discard() {
	s.stop(http.ErrAbortHandler)
	s.Room.giveBack(s.held)
	s.rest, s.held = nil, 0
	if s.file != nil && !s.taken {
		_ = s.file.Close() // it has no name
	}
}

// Begun reports whether something may have gone out.
func (s *Spool) Begun() bool { return s.file != nil || s.full }

// Take returns the file with all of an answer, nothing of which is added any
// more; nil where it is not in one. The caller closes it, after discard.
func (s *Spool) Take() (*os.File, int64) {
	if s.full || s.file == nil {
		return nil, 0
	}
	s.taken = true
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.file, s.size
}

// sendFile sends what is added to the file.
func (s *Spool) sendFile() {
	part := make([]byte, WritePart)
	for from := int64(0); ; {
		size := s.await(from)
		if size == from {
			return
		}
		n, err := s.file.ReadAt(part[:min(size-from, WritePart)], from)
		if err == nil || err == io.EOF {
			err = s.Send(part[:n])
		}
		from += int64(n)
		if err != nil {
			s.mu.Lock()
			s.err = err
			s.mu.Unlock()
			return
		}
	}
}

// await waits until the file has more than is sent, and returns its size; that
// which is sent when there is no more.
func (s *Spool) await(sent int64) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.size == sent && !s.ended && s.err == nil {
		s.moved.Wait()
	}
	if s.err != nil {
		return sent
	}
	return s.size
}

// Send sends p at once.
func (s *Spool) Send(p []byte) error {
	_, err := s.w.Write(p)
	return err
}

// namelessFile makes a file that goes with its last descriptor.
func namelessFile(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, "answer-")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}
