package xmlscan

import "io"

// need has at least n bytes from pos on in the buffer; where the input ends
// before, it is ErrTruncated, with whatever there was in the buffer.
func (s *Scanner) need(n int) error {
	err := s.more(n)
	if err == io.EOF {
		return ErrTruncated
	}
	return err
}

// more is need with the reader's own error.
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

// makeRoom moves what is not read yet to the front of the buffer. One that is
// full is doubled, and the first one, which most answers do not fill, replaced.
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

// Capture keeps the source text from the current start tag on, until
// CaptureEnd returns it.
func (s *Scanner) Capture() {
	s.capturing, s.captureAt = true, s.tokenAt
	s.captured = nil
}

// CaptureOffset is where the current tag begins in what is captured.
func (s *Scanner) CaptureOffset() int { return len(s.captured) + s.tokenAt - s.captureAt }

// CapturePosition is how much is captured up to the end of the current tag.
func (s *Scanner) CapturePosition() int { return len(s.captured) + s.pos - s.captureAt }

// CaptureEnd is the source text from the tag at Capture to the current one,
// this included.
func (s *Scanner) CaptureEnd() []byte {
	s.captured = append(s.captured, s.buf[s.captureAt:s.pos]...)
	s.capturing = false
	return s.captured
}
