package form

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
)

// smallBuffer is the size of the read buffer before a bulk field.
const smallBuffer = 4 << 10

// maxName is the longest name, as encoded, that is decoded. A field with a longer name is
// skipped.
const maxName = 1 << 10

// Decode reads a body to its end. The form is never nil: after an error it has the fields before
// it. Errors are ErrTooLarge, those of Open and its writer, and those of r, all unchanged.
func Decode(r io.Reader, o Options) (*Form, error) {
	if o.MaxKept == 0 {
		o.MaxKept = DefaultMaxKept
	}
	if o.MaxFields == 0 {
		o.MaxFields = DefaultMaxFields
	}
	if o.Form == nil {
		o.Form = &Form{}
	}
	d := &decoder{r: r, o: &o, form: o.Form, room: o.MaxKept, early: o.Early, buf: make([]byte, smallBuffer)}
	read := d.run
	if o.Boundary != "" {
		read = d.multipart
	}
	err := read()
	if d.buffers != nil {
		bulkBuffers.Put(d.buffers)
	}
	if fault, ok := errors.AsType[*MultipartError](err); ok {
		d.form.malformed, err = fault, nil
	}
	return d.form, err
}

// bulkBuffer has the buffers for decoding a bulk field. Decode does not retain them.
type bulkBuffer struct {
	read    [64 << 10]byte
	decoded [48 << 10]byte
}

var bulkBuffers = sync.Pool{New: func() any { return new(bulkBuffer) }}

type decoder struct {
	r    io.Reader
	buf  []byte
	rest []byte // part of buf that was read but not yet consumed
	out  []byte // decoded bytes of the bulk field
	err  error  // of r, once it returned one

	buffers *bulkBuffer // buf and out; nil before the bulk field

	o     *Options
	form  *Form
	room  int64 // bytes that may still be kept
	early int64 // bytes that may still be kept before Lift; 0 for no limit
}

func (d *decoder) run() error {
	for fields := 0; ; {
		name, delimiter, err := d.until("=&", maxName)
		if err != nil {
			return err
		}
		if len(name) > 0 || delimiter == '=' {
			if fields++; fields > d.o.MaxFields {
				return ErrTooLarge
			}
			if delimiter, err = d.field(name, delimiter); err != nil {
				return err
			}
		}
		if delimiter == 0 {
			return nil
		}
	}
}

// field reads the value of a field, which is empty if no equals sign follows the name. It returns
// what ended the value: & or, for the end of the body, 0.
func (d *decoder) field(raw []byte, delimiter byte) (byte, error) {
	name := unescape(raw)
	bulk := d.isBulk(name)
	switch {
	case len(raw) > maxName || !bulk && !d.o.keeps(name):
		return d.skip(delimiter)
	case bulk && d.form.bulk.next(name == d.o.Bulk):
		return d.bulk(delimiter)
	case bulk:
		return d.skip(delimiter)
	}
	if d.room -= int64(len(raw)); d.room < 0 {
		return 0, ErrTooLarge
	}
	var value []byte
	if delimiter == '=' {
		var err error
		if value, delimiter, err = d.until("&", d.room); err != nil {
			return 0, err
		}
	}
	return delimiter, d.keep(name, len(value), unescape(value))
}

// keep keeps a field whose value has so many bytes in the body.
func (d *decoder) keep(name string, bytes int, value string) error {
	if d.room -= int64(bytes); d.room < 0 {
		return ErrTooLarge
	}
	if d.early > 0 {
		d.early = max(1, d.early-int64(len(name)+bytes))
	}
	d.form.pairs = append(d.form.pairs, pair{name, value})
	return nil
}

func (d *decoder) isBulk(name string) bool {
	return d.o.Bulk != "" && strings.EqualFold(name, d.o.Bulk)
}

// enlarge takes large buffers.
func (d *decoder) enlarge() {
	if d.buffers == nil { // the data so far is still in the small buffer
		d.buffers = bulkBuffers.Get().(*bulkBuffer)
		d.buf, d.out = d.buffers.read[:], d.buffers.decoded[:0]
	}
}

// skip skips a value.
func (d *decoder) skip(delimiter byte) (byte, error) {
	if delimiter != '=' {
		return delimiter, nil
	}
	_, delimiter, err := d.until("&", 0)
	return delimiter, err
}

// bulk decodes a value of the bulk field to the writer. If the value is not base64, the rest of
// it is skipped, so that the fields after it count.
func (d *decoder) bulk(delimiter byte) (byte, error) {
	w, err := d.o.Open(d.form)
	if err != nil || delimiter != '=' {
		return delimiter, err
	}
	d.enlarge()
	b := &base64Decoder{w: w, out: d.out}
	before := d.form.content
	for ended := false; !ended && b.fault == nil && d.fill(); {
		var n int
		n, ended, err = b.feed(d.rest)
		d.rest = d.rest[n:]
		// A byte of content takes at most four bytes of base64 in which every digit is escaped.
		d.form.content = before + min(b.consumed, 4*(b.written+int64(len(b.out))))
		if err != nil {
			return 0, err
		}
	}
	delimiter, err = d.skip('=')
	if err != nil {
		return 0, err
	}
	if err := b.end(); err != nil {
		return 0, err
	}
	d.form.bulk.err = b.fault
	return delimiter, nil
}

// until reads up to one of the delimiters, consumes it and returns which it was, or 0 at the end
// of the body. It returns at most keep+1 bytes of what precedes the delimiter.
func (d *decoder) until(delimiters string, keep int64) (kept []byte, delimiter byte, err error) {
	for d.fill() {
		i := bytes.IndexAny(d.rest, delimiters)
		piece := d.rest
		if i >= 0 {
			piece = d.rest[:i]
		}
		if room := keep + 1 - int64(len(kept)); room > 0 {
			if err := d.lift(keep, int64(len(kept)+len(piece))); err != nil {
				return kept, 0, err
			}
			kept = append(kept, piece[:min(int64(len(piece)), room)]...)
		}
		if i >= 0 {
			delimiter = d.rest[i]
			d.rest = d.rest[i+1:]
			return kept, delimiter, nil
		}
		d.rest = nil
	}
	if d.err != io.EOF {
		return kept, 0, d.err
	}
	return kept, 0, nil
}

// lift calls Lift if a value of kept bytes exceeds Early. Names have another limit, and skipped
// values are not kept.
func (d *decoder) lift(keep, kept int64) error {
	if d.early == 0 || kept <= d.early || keep != d.room {
		return nil
	}
	var err error
	d.early, err = d.o.Lift(d.form)
	return err
}

// fill reads until rest is not empty. It returns false at the end of the body or after an error.
func (d *decoder) fill() bool {
	for len(d.rest) == 0 {
		if d.err != nil {
			return false
		}
		var n int
		n, d.err = d.r.Read(d.buf)
		d.rest = d.buf[:n]
	}
	return true
}
