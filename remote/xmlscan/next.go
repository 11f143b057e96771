package xmlscan

import "io"

// Next reads up to the next token. After an error it must not be called again.
func (s *Scanner) Next() (Token, error) {
	if s.pendingEnd {
		s.pendingEnd = false
		s.pop()
		return End, nil
	}
	for {
		if s.inCDATA {
			return s.cdataPiece()
		}
		if s.pos == len(s.buf) {
			if err := s.more(1); err != nil {
				return s.atEnd(err)
			}
		}
		if s.buf[s.pos] != '<' {
			if found, err := s.textPiece(); err != nil || found {
				return Text, err
			}
			continue
		}
		if tok, err := s.markup(); err != nil || tok != 0 {
			return tok, err
		}
	}
}

// atEnd decides what the end of the input means.
func (s *Scanner) atEnd(err error) (Token, error) {
	switch {
	case err != io.EOF:
		return 0, err
	case !s.rooted && !s.begun:
		return 0, ErrEmpty
	case !s.rooted || len(s.marks) > 0:
		return 0, ErrTruncated
	}
	return EOF, nil
}

// markup reads what begins with <. It returns 0 for what is skipped: comments,
// processing instructions, the begin of a CDATA section.
func (s *Scanner) markup() (Token, error) {
	if err := s.need(2); err != nil {
		return 0, err
	}
	switch s.buf[s.pos+1] {
	case '/':
		return s.endTag()
	case '?':
		return 0, s.instruction()
	case '!':
		return 0, s.declaration()
	}
	return s.startTag()
}
