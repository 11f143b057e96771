package body

import (
	"os"
	"time"

	"paperfs/cache/content/tree"
)

// A service in this process has the content of files in files of its own. Then nothing of it is
// cached: reads go to the service's file.

// own opens the service's own file of a published version. It asks the service's database, in local
// files, and sends no request.
func (s *Bodies) own(pub tree.Version) (*os.File, error) {
	if s.o.Own == nil || pub.ID == 0 || !pub.SHA256.Known() {
		return nil, os.ErrNotExist
	}
	return s.o.Own(pub.ID, pub.SHA256)
}

// hasOwn reports whether the service has a file of its own of a published version.
func (s *Bodies) hasOwn(pub tree.Version) bool {
	_, has := s.OwnTime(pub)
	return has
}

// OwnTime returns when somebody last wrote the service's own file of a published version. has reports whether there is
// such a file.
func (s *Bodies) OwnTime(pub tree.Version) (written time.Time, has bool) {
	f, err := s.own(pub)
	if err != nil {
		return written, false
	}
	defer f.Close() // it was only opened
	info, err := f.Stat()
	if err != nil {
		return written, false
	}
	return info.ModTime(), true
}

// Cache keeps the file at path, whose content is that of a published version, unless the service's
// own serves. Afterwards there is no file at path, even on an error.
func (s *Bodies) Cache(path string, pub tree.Version) {
	if s.hasOwn(pub) {
		_ = os.Remove(path) // if this fails, the next run drops it
		return
	}
	if err := s.Contents.Adopt(path, pub.SHA256.String()); err != nil {
		s.o.Log.Warn("cannot cache published content", "path", path, "error", err)
	}
}
