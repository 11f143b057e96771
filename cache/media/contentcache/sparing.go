package contentcache

import (
	"io"

	"paperfs/cache/media/disk"
)

// sparing writes what is received as long as that leaves the disk its reserve.
type sparing struct {
	io.Writer
	cache *Cache
}

func (s *sparing) Write(p []byte) (int, error) {
	if err := s.cache.makeRoom(int64(len(p))); err != nil {
		return 0, err
	}
	return s.Writer.Write(p)
}

// makeRoom lets older content go so that n bytes more leave the disk its
// reserve, and fails with *disk.FullError where that is not enough.
func (c *Cache) makeRoom(n int64) error {
	lack, err := c.disk.Lacks(n)
	if err != nil || lack == 0 {
		return nil // what cannot be asked is no reason against it
	}
	c.GiveWay(lack)
	if lack, err = c.disk.Lacks(n); err != nil || lack == 0 {
		return nil
	}
	return &disk.FullError{Detail: "there is no room to fetch the content: " + c.disk.Words()}
}
