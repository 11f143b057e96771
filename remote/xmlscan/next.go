package xmlscan

import "io"

// Next reads the next token. It must not be called again after an error.
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

// atEnd returns EOF at the end of a complete document, otherwise an error.
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

// markup reads markup that begins with <. It returns 0 for skipped markup: comments,
// processing instructions, the beginning of a CDATA section.
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
