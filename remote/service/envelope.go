package service

import (
	"compress/gzip"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"paperfs/remote"
)

const declaration = `<?xml version="1.0" encoding="utf-8"?>` + "\n"

// respond runs the call's handler, unless err says that it came to nothing
// before, and writes the result document. Nothing is sent before the first
// buffer is full, so that a small answer that fails halfway is a clean failure;
// a large one is broken off, which no client can take for a whole one.
func (c *call) respond(l *requestLog, err error) {
	r := newReply(c, l)
	x := newXMLWriter(r, c.service.options.CDATA)
	x.head = func() { c.writeHead(x, remote.Success, c.message) }
	l.code = remote.Success
	if err == nil {
		err = handlers[c.op](c, x)
	}
	if err != nil && r.started {
		c.service.log.Error("answer broken off", "request", c.number, "operation", c.op.Name, "error", err)
		panic(http.ErrAbortHandler)
	}
	if err != nil {
		l.code = c.writeFault(x, r, err)
	}
	c.writeTail(x)
	if err := errors.Join(x.flush(), r.close()); err != nil {
		c.service.log.Debug("answer not delivered", "request", c.number, "operation", c.op.Name, "error", err)
	}
}

func (c *call) writeHead(x *xmlWriter, code remote.Code, message string) {
	x.raw(declaration)
	x.raw("<result>")
	x.Scalar("code", string(code))
	if message == "" {
		x.raw("\n<message></message>")
	} else {
		x.Text("message", message)
	}
}

// writeFault starts the document anew, as a failure.
func (c *call) writeFault(x *xmlWriter, r *reply, err error) remote.Code {
	f := toFault(err, c.number)
	if plain := (*fault)(nil); !errors.As(err, &plain) {
		c.service.log.Error("operation failed", "request", c.number, "operation", c.op.Name, "error", err)
	}
	code := f.code
	if c.service.options.StrictCodes && !slices.Contains(c.op.Codes, code) {
		code = remote.Failure
	}
	x.reset(r)
	x.head = func() { c.writeHead(x, code, f.message) }
	if f.data != nil {
		f.data(x)
	}
	return code
}

func (c *call) writeTail(x *xmlWriter) {
	if x.begun() {
		x.Close("data")
	}
	x.raw("\n</result>\n")
}

// reply is the way of an answer's bytes: escaped into the string element where
// the operation asks for it, compressed where the client asked for it.
type reply struct {
	w       http.ResponseWriter
	rc      *http.ResponseController
	zip     *gzip.Writer // nil for none
	accepts bool         // the client takes gzip
	wrap    string       // namespace of the string element, "" for none
	started bool         // something went out
}

func newReply(c *call, w http.ResponseWriter) *reply {
	r := &reply{w: w, rc: http.NewResponseController(w)}
	if c.op.Wrapped && !c.service.options.RawTree {
		r.wrap = c.service.namespace()
	}
	h := w.Header()
	h.Set("Content-Type", "text/xml; charset=utf-8")
	h.Set("Cache-Control", "private, max-age=0")
	h.Set("Vary", "Accept-Encoding")
	r.accepts = acceptsGzip(c.request)
	return r
}

// zipFrom is the least answer worth compressing, in bytes.
const zipFrom = 1400

// zippers keeps compressors: each is a megabyte to make.
var zippers = sync.Pool{New: func() any {
	zip, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is valid
	return zip
}}

func (r *reply) Write(p []byte) (int, error) {
	if err := r.start(len(p)); err != nil {
		return 0, err
	}
	// Not supported by a writer that is no connection; then there is no limit.
	_ = r.rc.SetWriteDeadline(time.Now().Add(stallLimit))
	if r.wrap == "" {
		return r.out().Write(p)
	}
	if _, err := io.WriteString(r.out(), escapeText.Replace(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (r *reply) out() io.Writer {
	if r.zip != nil {
		return r.zip
	}
	return r.w
}

// start begins the answer with its first part, which is all of an answer
// that is smaller than the buffer before it.
func (r *reply) start(size int) error {
	if r.started {
		return nil
	}
	r.started = true
	if r.accepts && size >= zipFrom {
		r.w.Header().Set("Content-Encoding", "gzip")
		r.zip = zippers.Get().(*gzip.Writer)
		r.zip.Reset(r.w)
	}
	if r.wrap == "" {
		return nil
	}
	if _, err := io.WriteString(r.out(), declaration+`<string xmlns="`); err != nil {
		return err
	}
	if err := xml.EscapeText(r.out(), []byte(r.wrap)); err != nil {
		return err
	}
	_, err := io.WriteString(r.out(), `">`)
	return err
}

func (r *reply) close() error {
	var err error
	if r.wrap != "" {
		_, err = io.WriteString(r.out(), "</string>\n")
	}
	if r.zip != nil {
		err = errors.Join(err, r.zip.Close())
		zippers.Put(r.zip)
	}
	return err
}

// acceptsGzip reads Accept-Encoding: gzip, not refused by a weight of 0.
func acceptsGzip(r *http.Request) bool {
	for _, item := range strings.Split(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		coding, weight, _ := strings.Cut(strings.TrimSpace(item), ";")
		if !strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			continue
		}
		q, found := strings.CutPrefix(strings.TrimSpace(weight), "q=")
		value, err := strconv.ParseFloat(q, 64)
		return !found || (err == nil && value > 0)
	}
	return false
}
