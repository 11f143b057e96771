package form

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"mime"
	"net/textproto"
	"strings"
)

// MultipartError says why a body of multipart/form-data is not as the service takes it.
type MultipartError struct{ reason string }

func (e *MultipartError) Error() string { return e.reason }

func malformed(format string, args ...any) error {
	return &MultipartError{fmt.Sprintf(format, args...)}
}

// multipart reads a body of multipart/form-data up to its end: fields, and then the bulk field, whose bytes are the
// file. mime/multipart cannot do it: it keeps to itself what it has read behind the closing delimiter, and takes
// headers of 10 MiB and a preamble.
func (d *decoder) multipart() error {
	delimiter := []byte("\r\n--" + d.o.Boundary)
	d.r = io.MultiReader(strings.NewReader("\r\n"), d.r)
	err := d.upTo(delimiter, func([]byte) error { return malformed("something precedes the first part") })
	for fields := 1; err == nil; fields++ {
		if d.form.bulk.present {
			return d.closing()
		}
		var header textproto.MIMEHeader
		if header, err = d.header(delimiter); header == nil || err != nil {
			return err
		}
		if fields > d.o.MaxFields {
			return ErrTooLarge
		}
		err = d.part(header, delimiter)
	}
	return err
}

// part reads a part up to the delimiter behind it.
func (d *decoder) part(header textproto.MIMEHeader, delimiter []byte) error {
	kind, parameters, err := mime.ParseMediaType(header.Get("Content-Disposition"))
	name := parameters["name"]
	if err != nil || kind != "form-data" || name == "" {
		return malformed("a part has no Content-Disposition: form-data with a name")
	}
	switch coding := strings.ToLower(strings.TrimSpace(header.Get("Content-Transfer-Encoding"))); coding {
	case "", "binary", "8bit", "7bit":
	default:
		return malformed("%s has the Content-Transfer-Encoding %s: send it as it is", name, coding)
	}
	switch {
	case d.isBulk(name):
		if _, isFile := parameters["filename"]; !isFile {
			return malformed("%s has no filename, as a file has that is sent as it is", name)
		}
		d.form.bulk.next(name == d.o.Bulk)
		w, err := d.o.Open(d.form)
		if err != nil {
			return err
		}
		d.enlarge()
		return d.upTo(delimiter, func(p []byte) error {
			d.form.content += int64(len(p))
			_, err := w.Write(p)
			return err
		})
	case !d.o.keeps(name):
		return d.upTo(delimiter, func([]byte) error { return nil })
	}
	if d.room -= int64(len(name)); d.room < 0 {
		return ErrTooLarge
	}
	var value []byte
	err = d.upTo(delimiter, func(p []byte) error {
		if err := d.lift(d.room, int64(len(value)+len(p))); err != nil {
			return err
		}
		if int64(len(value)+len(p)) > d.room {
			return ErrTooLarge
		}
		value = append(value, p...)
		return nil
	})
	if err != nil {
		return err
	}
	return d.keep(name, len(value), string(value))
}

// upTo gives what precedes the delimiter to take, and consumes both.
func (d *decoder) upTo(delimiter []byte, take func([]byte) error) error {
	for {
		i := bytes.Index(d.rest, delimiter)
		n := i
		if i < 0 { // the delimiter may have begun
			n = max(0, len(d.rest)-len(delimiter)+1)
		}
		if n > 0 {
			if err := take(d.rest[:n]); err != nil {
				return err
			}
		}
		d.rest = d.rest[n:]
		if i >= 0 {
			d.rest = d.rest[len(delimiter):]
			return nil
		}
		if err := d.more(); err != nil {
			return err
		}
	}
}

// header reads the rest of a delimiter's line and the header behind it; nil for the end of the body.
func (d *decoder) header(delimiter []byte) (textproto.MIMEHeader, error) {
	blank := []byte("\r\n\r\n")
	for {
		if bytes.HasPrefix(d.rest, []byte("--")) {
			return nil, d.closing()
		}
		if i := bytes.Index(d.rest, blank); i >= 0 {
			padding, lines, _ := bytes.Cut(d.rest[:i+len(blank)], []byte("\r\n"))
			d.rest = d.rest[i+2:]
			h, err := textproto.NewReader(bufio.NewReader(bytes.NewReader(lines))).ReadMIMEHeader()
			bare := bytes.Count(lines, []byte("\n")) != bytes.Count(lines, []byte("\r\n")) // others end the header there
			if err != nil || bare || len(bytes.Trim(padding, " \t")) > 0 {
				return nil, malformed("a part has no proper header")
			}
			return h, d.blank(delimiter)
		}
		if len(d.rest) == len(d.buf) {
			return nil, malformed("the header of a part has more than %d bytes", len(d.buf))
		}
		if err := d.more(); err != nil {
			return nil, err
		}
	}
}

// blank reads the blank line behind a header. It is also the begin of a delimiter that follows at once.
func (d *decoder) blank(delimiter []byte) error {
	for len(d.rest) < len(delimiter) {
		if err := d.more(); err != nil {
			return err
		}
	}
	if !bytes.HasPrefix(d.rest, delimiter) {
		d.rest = d.rest[2:]
	}
	return nil
}

// closing reads the rest of the closing delimiter and of the body.
func (d *decoder) closing() error {
	for len(d.rest) < 2 {
		if err := d.more(); err != nil {
			return err
		}
	}
	if !bytes.HasPrefix(d.rest, []byte("--")) {
		return malformed("something follows the content, which is the last part")
	}
	for d.rest = d.rest[2:]; d.fill(); d.rest = nil {
		if len(bytes.Trim(d.rest, " \t\r\n")) > 0 {
			return malformed("something follows the closing delimiter")
		}
	}
	if d.err != io.EOF {
		return d.err
	}
	return nil
}

// more reads further bytes behind rest, for which buf has room.
func (d *decoder) more() error {
	if d.err == io.EOF {
		return malformed("the body ends without the closing delimiter")
	}
	if d.err != nil {
		return d.err
	}
	n := copy(d.buf, d.rest)
	m, err := d.r.Read(d.buf[n:])
	d.rest, d.err = d.buf[:n+m], err
	return nil
}
