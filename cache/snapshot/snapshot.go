// Package snapshot stores the contents of an in-memory cache in a checksummed file between
// mounts. The catalogue and the document cache share it.
//
// A file is a magic string, then the cache's records as numbers and strings, then the
// SHA-256 of everything before. Numbers are varints; strings follow their length. The
// magic identifies the format of the records: another format has another magic. A file
// that is damaged or has another format is not read, because a cache can fetch its
// contents again.
package snapshot

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"
)

// ErrDamaged means that a file of the right format is damaged. ErrFormat means that it has another magic.
var (
	ErrDamaged = errors.New("it is damaged")
	ErrFormat  = errors.New("another version wrote it, or it is damaged")
)

// Writer writes the records of a file. The function Write returns its first error.
type Writer struct{ to *bufio.Writer }

// Number writes a number.
func (w *Writer) Number(n int64) { _, _ = w.to.Write(binary.AppendVarint(w.to.AvailableBuffer(), n)) }

// Text writes a string.
func (w *Writer) Text(s string) {
	w.Number(int64(len(s)))
	_, _ = w.to.WriteString(s)
}

// Bytes writes a string given as bytes.
func (w *Writer) Bytes(s []byte) {
	w.Number(int64(len(s)))
	_, _ = w.to.Write(s)
}

// Write writes a file and syncs its content. The caller renames it to its final name. It
// overwrites a draft that a crash left behind, and makes a directory that somebody has cleared away.
func Write(draft, magic string, records func(*Writer)) (err error) {
	if err := os.MkdirAll(filepath.Dir(draft), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(draft, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, f.Close()); err != nil {
			os.Remove(draft)
		}
	}()
	sum := sha256.New()
	w := &Writer{to: bufio.NewWriterSize(io.MultiWriter(f, sum), 1<<16)}
	_, _ = w.to.WriteString(magic)
	records(w)
	if err := w.to.Flush(); err != nil {
		return err
	}
	if _, err := f.Write(sum.Sum(nil)); err != nil {
		return err
	}
	return f.Sync()
}

// Reader reads the records of a file.
type Reader struct {
	Time time.Time // the file's mtime
	from *bufio.Reader
	size int64 // size of all records, and so the limit for any string
	err  error // the first error
}

// Err returns the first error. After it, Number returns 0 and Text "".
func (r *Reader) Err() error { return r.err }

// Number reads a number.
func (r *Reader) Number() (n int64) {
	if r.err == nil {
		n, r.err = binary.ReadVarint(r.from)
	}
	return n
}

// Text reads a string.
func (r *Reader) Text() string { return string(r.Bytes()) }

// Bytes reads a string as bytes.
func (r *Reader) Bytes() []byte { return r.next(r.Number()) }

func (r *Reader) next(n int64) []byte {
	if r.err == nil && (n < 0 || n > r.size) {
		r.err = ErrDamaged
	}
	if r.err != nil {
		return nil
	}
	content := make([]byte, n)
	_, r.err = io.ReadFull(r.from, content)
	return content
}

// Read reads a file. It compares the checksum last, so after an error the caller must
// discard what records has read. It returns fs.ErrNotExist if there is no file.
func Read(path, magic string, records func(*Reader) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	size, sum := info.Size()-sha256.Size, sha256.New()
	r := &Reader{Time: info.ModTime(), size: size, from: bufio.NewReaderSize(io.TeeReader(io.LimitReader(f, size), sum), 1<<16)}
	if string(r.next(int64(len(magic)))) != magic {
		return ErrFormat
	}
	if err := records(r); err != nil {
		return err
	}
	if r.err != nil {
		return r.err
	}
	if _, err := r.from.ReadByte(); err != io.EOF {
		return ErrDamaged
	}
	stored := make([]byte, sha256.Size)
	if _, err := io.ReadFull(f, stored); err != nil {
		return err
	}
	if !bytes.Equal(stored, sum.Sum(nil)) {
		return ErrDamaged
	}
	return nil
}

// Keep calls save after each change, and a last time when ctx ends. After a save that
// wrote a file it pauses for ten times the duration of the save, but at least for pause,
// so that many small changes do not cause as many big writes.
func Keep(ctx context.Context, changed <-chan struct{}, pause time.Duration, save func(last bool) (wrote bool)) {
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-changed:
			began := time.Now()
			if !save(false) {
				continue
			}
			select {
			case <-ctx.Done():
			case <-time.After(max(pause, 10*time.Since(began))):
			}
		}
	}
	save(true)
}
