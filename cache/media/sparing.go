package media

import "io"

// sparing writes what is received as long as that leaves the disk its reserve.
type sparing struct {
	io.Writer
	contents *contents
}

func (s *sparing) Write(p []byte) (int, error) {
	if err := s.contents.makeRoom(int64(len(p))); err != nil {
		return 0, err
	}
	return s.Writer.Write(p)
}

// makeRoom lets older content go so that n bytes more leave the disk its
// reserve, and fails with Full where that is not enough.
func (c *contents) makeRoom(n int64) error {
	lack, err := c.disk.lacks(n)
	if err != nil || lack == 0 {
		return nil // what cannot be asked is no reason against it
	}
	c.giveWay(lack)
	if lack, err = c.disk.lacks(n); err != nil || lack == 0 {
		return nil
	}
	return &Error{Kind: Full, Detail: "there is no room to fetch the content: " + c.disk.words()}
}
