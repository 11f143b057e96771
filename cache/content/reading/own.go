package reading

import (
	"io"
	"os"
	"syscall"
)

// A service in this process has whole contents in files of its own. It never changes one; it
// replaces and removes them. Such a file is read as it is: nothing is fetched or kept. It is judged
// like what an answer brings, and the hash passes the blocks that were given out. While nobody has
// the source open, its file is closed, so that content that the service has removed takes no room.

// openOwn opens the service's own file of all of the content. It returns no file if there is none.
func (v Version) openOwn() (*os.File, os.FileInfo) {
	if v.Own == nil || v.SHA256 == "" {
		return nil, nil
	}
	f, err := v.Own()
	if err != nil {
		return nil, nil
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return nil, nil
	}
	return f, info
}

// ownOf makes a new source read the service's own file.
func (s *Source) ownOf(f *os.File, info os.FileInfo) {
	s.disk, s.own, s.unpin = f, info, func() {}
	s.kept, s.begun = true, true
	if s.size >= 0 && s.size != info.Size() {
		s.err = &DamagedError{Detail: "the service's file of it has another length"}
	}
	if s.size = info.Size(); s.version.Right != nil && s.version.Right(info.ModTime()) {
		s.verified, s.sum = true, s.version.SHA256
	}
}

// ownAgainLocked opens the file again, for the first who has the source open. False: it is another
// file by now, of which a program may get what it did not get of the first one. It releases Pool.mu.
func (s *Source) ownAgainLocked() bool {
	s.pool.mu.Unlock()
	f, info := s.version.openOwn()
	s.pool.mu.Lock()
	if f == nil {
		return false
	}
	if s.disk != nil || s.dropped || !sameFile(s.own, info) {
		_ = f.Close()
		return s.disk != nil
	}
	s.disk = f
	return true
}

// sameFile reports whether a file has not been touched since.
func sameFile(before, now os.FileInfo) bool {
	a, b := before.Sys().(*syscall.Stat_t), now.Sys().(*syscall.Stat_t)
	return os.SameFile(before, now) && a.Size == b.Size && a.Mtim == b.Mtim && a.Ctim == b.Ctim
}

// passOwnLocked hashes a block of the service's own file.
func (s *Source) passOwnLocked(buffer []byte) {
	i, f := s.hashed, s.disk
	data := buffer[:blockLength(i, s.size)]
	s.pool.mu.Unlock()
	_, err := f.ReadAt(data, i*blockSize)
	if err == nil {
		s.hash.Write(data)
	}
	s.pool.mu.Lock()
	if err == nil {
		s.hashed++
	} else if s.disk == f {
		s.failLocked(ownError(err))
	}
}

// ownError returns what an error of a read within the content means.
func ownError(err error) error {
	if err == io.EOF {
		return &DamagedError{Detail: "the service's file of it has become shorter"}
	}
	return err
}
