package xmlscan

import "io"

// need reads until the buffer has at least n bytes from pos on. If the input ends before,
// it returns ErrTruncated; the buffer has what there was.
func (s *Scanner) need(n int) error {
	err := s.more(n)
	if err == io.EOF {
		return ErrTruncated
	}
	return err
}

// more is need, but returns the reader's own error.
func (s *Scanner) more(n int) error {
	for idle := 0; len(s.buf)-s.pos < n; {
		if s.err != nil {
			return s.err
		}
		s.makeRoom()
		got, err := s.r.Read(s.buf[len(s.buf):cap(s.buf)])
		s.buf = s.buf[:len(s.buf)+got]
		s.err = err
		if idle++; got > 0 {
			idle = 0
		} else if idle == 100 {
			s.err = io.ErrNoProgress
		}
	}
	return nil
}

// makeRoom moves the unread bytes to the front of the buffer. It doubles a full buffer,
// and replaces the first, small one, which suffices for most answers.
func (s *Scanner) makeRoom() {
	if s.capturing {
		s.captured = append(s.captured, s.buf[s.captureAt:s.pos]...)
		s.captureAt = 0
	}
	rest := s.buf[s.pos:]
	s.base += int64(s.pos)
	if size := cap(s.buf); len(rest) == size || size < scanBuffer && len(s.buf) == size {
		s.buf = append(make([]byte, 0, max(2*size, scanBuffer)), rest...)
	} else {
		s.buf = s.buf[:copy(s.buf, rest)]
	}
	s.pos, s.tokenAt = 0, 0
}

// Capture begins to keep the source text, from the current start tag on. CaptureEnd
// returns it.
func (s *Scanner) Capture() {
	s.capturing, s.captureAt = true, s.tokenAt
	s.captured = nil
}

// CaptureOffset returns where the current tag begins in the captured text.
func (s *Scanner) CaptureOffset() int { return len(s.captured) + s.tokenAt - s.captureAt }

// CapturePosition returns the length of the captured text up to the end of the current tag.
func (s *Scanner) CapturePosition() int { return len(s.captured) + s.pos - s.captureAt }

// CaptureEnd returns the source text from the tag at Capture up to and including the
// current tag.
func (s *Scanner) CaptureEnd() []byte {
	s.captured = append(s.captured, s.buf[s.captureAt:s.pos]...)
	s.capturing = false
	return s.captured
}
