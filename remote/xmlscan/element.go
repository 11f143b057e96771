package xmlscan

import "bytes"

// Skip reads to the end of the current element.
func (s *Scanner) Skip() error {
	for depth := s.Depth(); s.Depth() >= depth; {
		if _, err := s.Next(); err != nil {
			return err
		}
	}
	return nil
}

// EachChild calls f for each child element of the current element, and reads to the end
// of the current element. f may leave its element unread.
func (s *Scanner) EachChild(f func() error) error {
	depth := s.Depth()
	for {
		tok, err := s.Next()
		if err != nil {
			return err
		}
		if s.Depth() < depth {
			return nil
		}
		if tok == Start && s.Depth() == depth+1 {
			if err := f(); err != nil {
				return err
			}
			if s.Depth() < depth {
				return nil
			}
		}
	}
}

// EachBelow calls f for each start tag below the current element, at any depth, and reads
// to the end of the current element.
func (s *Scanner) EachBelow(f func() error) error {
	for depth := s.Depth(); s.Depth() >= depth; {
		tok, err := s.Next()
		if err != nil {
			return err
		}
		if tok == Start {
			if err := f(); err != nil {
				return err
			}
		}
	}
	return nil
}

// Namespace returns the namespace of the current start tag by its own declarations.
func (s *Scanner) Namespace() string {
	name := "xmlns"
	if prefix, _, ok := bytes.Cut(s.Name, []byte(":")); ok {
		name += ":" + string(prefix)
	}
	return string(s.Attr(name))
}

// Concat returns two values of the current tag as one string, with one allocation.
func (s *Scanner) Concat(a, b []byte) string {
	s.chars = append(append(s.chars[:0], a...), b...)
	return string(s.chars)
}
