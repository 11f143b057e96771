package contentcache

import (
	"io"

	"paperfs/cache/content/disk"
)

// reserveWriter writes received content as long as the disk keeps its reserve.
type reserveWriter struct {
	io.Writer
	cache *Cache
}

func (s *reserveWriter) Write(p []byte) (int, error) {
	if err := s.cache.makeRoom(int64(len(p))); err != nil {
		return 0, err
	}
	return s.Writer.Write(p)
}

// makeRoom evicts content so that writing n bytes leaves the disk its reserve. If that is not
// enough, it fails with *disk.FullError.
func (c *Cache) makeRoom(n int64) error {
	lack, err := c.disk.Lacks(n)
	if err != nil || lack == 0 {
		return nil // if the free space is unknown, do not refuse
	}
	c.Evict(lack)
	if lack, err = c.disk.Lacks(n); err != nil || lack == 0 {
		return nil
	}
	return &disk.FullError{Detail: "there is no room to fetch the content: " + c.disk.NoRoom()}
}
