package catalogue

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"time"

	"paperfs/remote"
)

// A saved catalogue is
//
//	savedMagic, root address, root id as configured   what it is a catalogue of
//	validator                                         empty if there is none, or if something is odd: each mount reports that once
//	number of nodes, then for each in document order:
//	    id, parent, kind, name, tail, seen, has period [, from, to in Unix seconds]
//	SHA-256 of all that
//
// with numbers as varints and strings behind their length. Another form gets
// another magic; the file is a cache, so an older form is not read but fetched.
//
// The time of the fetch is the file's, so that a fetch which brings the same
// tree writes nothing else (see touch).
const savedMagic = "paperfs catalogue 3\n"

// origin is what a saved catalogue is of: it is of no use for another one.
type origin struct {
	rootURL string
	rootID  int64 // as configured, 0 where it was looked up
}

// save writes the snapshot to path: a reader finds the old one or all of the
// new one, also after a power cut. The temporary file has one name, so that
// the next save takes the place of one that a crash left.
func save(path string, of origin, s *Snapshot) (err error) {
	f, err := os.OpenFile(path+".tmp", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	buffer := bufio.NewWriterSize(f, 1<<16)
	sum := sha256.New()
	w := savedWriter{w: io.MultiWriter(buffer, sum)}
	if err := w.snapshot(of, s); err != nil {
		return err
	}
	if _, err := buffer.Write(sum.Sum(nil)); err != nil {
		return err
	}
	if err := errors.Join(buffer.Flush(), f.Sync()); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	// Where files take no times it has that of its writing, which is close.
	_ = touch(f.Name(), s.fetched)
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// touch says that the saved tree was still the same at another fetch.
func touch(path string, fetched time.Time) error {
	return os.Chtimes(path, time.Time{}, fetched)
}

func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}

type savedWriter struct {
	w    io.Writer
	line []byte
}

func (w *savedWriter) snapshot(of origin, s *Snapshot) error {
	w.line = append(w.line[:0], savedMagic...)
	w.text(of.rootURL)
	w.number(of.rootID)
	if s.odd {
		w.text("")
	} else {
		w.text(string(s.validator))
	}
	w.number(int64(s.count))
	if err := w.flush(); err != nil {
		return err
	}
	return s.eachItem(func(it item) error {
		w.number(it.id)
		w.number(it.parent)
		w.number(int64(it.kind))
		w.text(it.name)
		w.text(it.tail)
		w.number(int64(it.seen))
		if it.period.IsZero() {
			w.number(0)
		} else {
			w.number(1)
			w.number(it.period.From.Unix())
			w.number(it.period.To.Unix())
		}
		return w.flush()
	})
}

func (w *savedWriter) number(n int64) { w.line = binary.AppendVarint(w.line, n) }

func (w *savedWriter) text(s string) {
	w.number(int64(len(s)))
	w.line = append(w.line, s...)
}

func (w *savedWriter) flush() error {
	_, err := w.w.Write(w.line)
	w.line = w.line[:0]
	return err
}

var errSaved = errors.New("the saved catalogue cannot be used")

// load reads what save wrote. fs.ErrNotExist where there is nothing.
func load(path string, of origin) (*Snapshot, error) {
	defer spare()()
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	length := info.Size() - sha256.Size
	if length < int64(len(savedMagic)) {
		return nil, errSaved
	}
	sum := sha256.New()
	s, err := readSnapshot(bufio.NewReaderSize(io.TeeReader(io.LimitReader(f, length), sum), 1<<16), of, info.ModTime())
	if err != nil {
		return nil, err
	}
	stored := make([]byte, sha256.Size)
	if _, err := io.ReadFull(f, stored); err != nil {
		return nil, err
	}
	if !bytes.Equal(stored, sum.Sum(nil)) {
		return nil, fmt.Errorf("%w: checksum mismatch", errSaved)
	}
	return s, nil
}

type savedReader struct {
	r   *bufio.Reader
	err error // the first
}

func readSnapshot(from *bufio.Reader, of origin, fetched time.Time) (*Snapshot, error) {
	magic := make([]byte, len(savedMagic))
	if _, err := io.ReadFull(from, magic); err != nil || string(magic) != savedMagic {
		return nil, fmt.Errorf("%w: another version saved it", errSaved)
	}
	r := savedReader{r: from}
	was := origin{rootURL: r.text(), rootID: r.number()}
	validator := remote.Validator(r.text())
	count := r.number()
	if r.err == nil && was != of {
		return nil, fmt.Errorf("the saved catalogue is of another root (%s, id %d)", was.rootURL, was.rootID)
	}
	b := newBuilder(nil, time.Time{})
	for n := int64(0); n < count && r.err == nil; n++ {
		if it := r.item(); r.err == nil {
			r.err = b.addItem(it)
		}
	}
	if r.err != nil {
		return nil, fmt.Errorf("%w: %w", errSaved, r.err)
	}
	if _, err := from.ReadByte(); err != io.EOF {
		return nil, fmt.Errorf("%w: it has trailing data", errSaved)
	}
	base, err := b.finish()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errSaved, err)
	}
	s := newSnapshot(base, fetched)
	s.validator = validator
	return s, nil
}

func (r *savedReader) item() item {
	it := item{id: r.number(), parent: r.number(), kind: remote.NodeKind(r.number()),
		name: r.text(), tail: r.text(), seen: uint32(r.number())}
	if r.number() != 0 {
		from := r.number()
		it.period = canonical(remote.Period{From: time.Unix(from, 0), To: time.Unix(r.number(), 0)})
	}
	return it
}

func (r *savedReader) number() int64 {
	if r.err != nil {
		return 0
	}
	n, err := binary.ReadVarint(r.r)
	r.err = err
	return n
}

func (r *savedReader) text() string {
	n := r.number()
	if r.err == nil && (n < 0 || n > math.MaxUint16) {
		r.err = errSaved
	}
	if r.err != nil {
		return ""
	}
	content := make([]byte, n)
	_, r.err = io.ReadFull(r.r, content)
	return string(content)
}
