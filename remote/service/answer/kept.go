package answer

import (
	"bytes"
	"io"
	"os"
)

// Kept is an answer as it went over the wire. Several may read it at the same time.
type Kept[K, V comparable] struct {
	key     K
	version V
	Size    int64
	Zipped  bool
	file    *os.File // nil for a small one
	small   []byte
	users   int // guarded by Cache.mu; the list is one
}

// KeepFile takes from a spool an answer that lies in a file; nil for one that does not.
func KeepFile[K, V comparable](s *Spool, key K, version V, zipped bool) *Kept[K, V] {
	file, size := s.Take()
	if file == nil {
		return nil
	}
	return &Kept[K, V]{key: key, version: version, Size: size, Zipped: zipped, file: file}
}

// Keep is KeepFile that takes a small answer, too; nil for one that its spool had no room
// for.
func Keep[K, V comparable](s *Spool, key K, version V, zipped bool) *Kept[K, V] {
	if s.Begun() {
		return KeepFile(s, key, version, zipped)
	}
	return &Kept[K, V]{key: key, version: version, Size: int64(len(s.buffer)), Zipped: zipped, small: s.buffer}
}

// WriteTo writes the answer, a part at a time.
func (a *Kept[K, V]) WriteTo(w io.Writer) (int64, error) {
	if a.file == nil {
		return bytes.NewReader(a.small).WriteTo(w)
	}
	part := make([]byte, min(WritePart, a.Size))
	return io.CopyBuffer(justWriter{w}, struct{ io.Reader }{io.NewSectionReader(a.file, 0, a.Size)}, part)
}

// justWriter is a writer that takes no more at a time than it is given.
type justWriter struct{ io.Writer }

// leave returns the file that nobody uses any more, for the caller to close without the
// lock; nil for none.
func (a *Kept[K, V]) leave() *os.File {
	if a.users--; a.users > 0 {
		return nil
	}
	return a.file
}
