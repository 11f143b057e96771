package answer

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// Kept is an answer exactly as it was sent. Several goroutines may read it concurrently.
type Kept[K, V comparable] struct {
	key     K
	version V
	Size    int64
	Zipped  bool
	file    *os.File // nil for a small one
	small   []byte
	users   int // guarded by Cache.mu; being in the list counts as one
}

// KeepFile takes over the answer of a spool if it is in a file; otherwise it returns nil.
func KeepFile[K, V comparable](s *Spool, key K, version V, zipped bool) *Kept[K, V] {
	file, size := s.Take()
	if file == nil {
		return nil
	}
	return &Kept[K, V]{key: key, version: version, Size: size, Zipped: zipped, file: file}
}

// Keep is KeepFile but also takes a small answer. It returns nil for one that its spool could not
// store in a file.
func Keep[K, V comparable](s *Spool, key K, version V, zipped bool) *Kept[K, V] {
	if s.Begun() {
		return KeepFile(s, key, version, zipped)
	}
	return &Kept[K, V]{key: key, version: version, Size: int64(len(s.buffer)), Zipped: zipped, small: s.buffer}
}

// KeepBytes takes an answer that is whole already, and puts it into a file of dir.
func KeepBytes[K, V comparable](dir string, key K, version V, all []byte) (*Kept[K, V], error) {
	file, err := namelessFile(dir)
	if err != nil {
		return nil, err
	}
	if _, err := file.Write(all); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &Kept[K, V]{key: key, version: version, Size: int64(len(all)), file: file}, nil
}

// Content returns the answer, if it is in a file.
func (a *Kept[K, V]) Content() io.ReadSeeker { return io.NewSectionReader(a.file, 0, a.Size) }

// WriteTo writes the answer in parts.
func (a *Kept[K, V]) WriteTo(w io.Writer) (int64, error) {
	if a.file == nil {
		return bytes.NewReader(a.small).WriteTo(w)
	}
	part := make([]byte, min(WritePart, a.Size))
	return io.CopyBuffer(justWriter{w}, struct{ io.Reader }{a.Content()}, part)
}

// justWriter hides a writer's ReadFrom, so that each write is at most one part.
type justWriter struct{ io.Writer }

// leave ends a use. It returns the file if that was the last use, for the caller to close without
// holding the lock; otherwise nil.
func (a *Kept[K, V]) leave() *os.File {
	if a.users--; a.users > 0 {
		return nil
	}
	return a.file
}
