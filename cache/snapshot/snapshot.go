// Package snapshot keeps what a cache holds in memory in a file between mounts.
//
// A file is a magic, then the cache's records as numbers and strings, then the
// SHA-256 of all that. Numbers are varints, and strings follow their length. The
// magic names the form of the records: another form gets another magic. What is
// damaged or of another form is not read, since a cache can fetch it again.
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
	"time"
)

// ErrDamaged is the reason why a file is not read that this program wrote.
var ErrDamaged = errors.New("it is damaged")

// Writer writes the records of a file. Write returns its first error.
type Writer struct{ to *bufio.Writer }

// Number writes a number.
func (w *Writer) Number(n int64) { _, _ = w.to.Write(binary.AppendVarint(w.to.AvailableBuffer(), n)) }

// Text writes a string.
func (w *Writer) Text(s string) {
	w.Number(int64(len(s)))
	_, _ = w.to.WriteString(s)
}

// Bytes writes a string.
func (w *Writer) Bytes(s []byte) {
	w.Number(int64(len(s)))
	_, _ = w.to.Write(s)
}

// Write writes a file and syncs its content. The caller renames it to its final
// name. A draft that a crash left is overwritten.
func Write(draft, magic string, records func(*Writer)) (err error) {
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
	Time time.Time // of the file's last change
	from *bufio.Reader
	size int64 // of all records, and so the most of any string
	err  error // the first
}

// Err is the first error. After it, Number returns 0 and Text nothing.
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

// Bytes reads a string.
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

// Read reads a file. The checksum is compared last: after an error the caller
// drops what records has read. It returns fs.ErrNotExist where there is no file.
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
		return errors.New("another version wrote it, or it is damaged")
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

// Keep calls save each time that something has changed, and at last when ctx
// ends. After a save that wrote something it pauses, ten times as long as the save
// took or longer, so that many small changes do not become as many big writes.
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
