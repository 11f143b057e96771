package answer

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"sync"
)

// WritePart is how many bytes of an answer are sent at a time, and the most of it that waits in
// memory for the client.
const WritePart = 64 << 10

// SpoolFrom is the minimum size, in bytes as sent, of an answer that goes through a file.
const SpoolFrom = 32 << 10

// Spool is the last step of an answer. A large answer goes through a file, so that it is
// generated as fast as the store can be read: a slow client does not keep a snapshot of the store
// open, and the store's log can be cleared. If the disk has no space, the rest waits in memory.
type Spool struct {
	w      http.ResponseWriter
	create func() (*os.File, error)
	from   int // SpoolFrom
	// Room limits the memory for what does not fit into the file; an answer that exceeds it is
	// aborted. nil means no limit.
	Room *Room

	buffer []byte   // too little for the file so far
	file   *os.File // nameless; nil before it is needed
	taken  bool     // another owner closes the file
	full   bool     // writing to the file failed
	rest   [][]byte // what did not fit into the file
	held   int64    // bytes in rest

	mu     sync.Mutex
	moved  sync.Cond // signals a change of the fields below; its lock is mu
	size   int64     // of the file
	ended  bool      // nothing more will be added
	sender sync.WaitGroup
	err    error // error of sending
}

// NewSpool returns a spool for an answer to w. If it needs a file, it creates that in dir.
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

// spill writes p to the file and returns what it could not write.
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

// hold keeps in memory what is to be sent after the file. It does not wait for the client: the
// caller holds a slot or a database connection that others wait for.
func (s *Spool) hold(p []byte) error {
	if !s.Room.take(int64(len(p))) {
		return errNoRoom
	}
	s.held += int64(len(p))
	s.rest = append(s.rest, bytes.Clone(p))
	return nil
}

// end returns when everything is sent or sending has failed.
func (s *Spool) end() error {
	s.stop(nil)
	return s.err
}

// Finish ends a complete answer.
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

// stop ends sending: after everything is sent if err is nil, otherwise at once.
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

// Discard must be called last. It leaves a file alone that was taken.
func (s *Spool) Discard() {
	s.stop(http.ErrAbortHandler)
	s.Room.giveBack(s.held)
	s.rest, s.held = nil, 0
	if s.file != nil && !s.taken {
		_ = s.file.Close() // it has no name
	}
}

// Begun reports whether part of the answer may have been sent.
func (s *Spool) Begun() bool { return s.file != nil || s.full }

// Take returns the file with the complete answer, or nil if the answer is not in a file. The
// caller closes the file, after Discard.
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

// await waits until the file has more than sent bytes and returns its size. It returns sent if
// nothing more will come.
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

// Send sends p immediately.
func (s *Spool) Send(p []byte) error {
	_, err := s.w.Write(p)
	return err
}

// namelessFile creates a file that disappears with its last descriptor.
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
