package service

import (
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strconv"

	"paperfs/remote/service/answer"
	"paperfs/remote/service/negotiate"
)

// reply is the way of an answer's bytes: escaped into the string element where
// the operation asks for it, compressed where the client asked for it.
type reply struct {
	w        http.ResponseWriter
	spool    *answer.Spool // to w
	keep     *answerKey    // what to keep the answer as; nil: not at all
	version  int64         // of it
	making   *making       // of it, for which others may wait; nil for none
	zip      *gzip.Writer  // nil for none
	accepts  bool          // the client takes gzip
	before   string        // what stands around the result document; "" for nothing
	behind   string        //
	escape   bool          // the document is text in what stands around it
	escaped  []byte        // buffer for that
	started  bool          // something went out
	replayed bool          // a kept answer went out
	// unchanged is the status for a client that has the answer already; 0 for
	// one that has not.
	unchanged int
}

func (r *reply) Write(p []byte) (int, error) {
	if err := r.start(len(p)); err != nil {
		return 0, err
	}
	if !r.escape {
		return r.out().Write(p)
	}
	r.escaped = answer.AppendText(r.escaped[:0], p)
	if _, err := r.out().Write(r.escaped); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (r *reply) out() io.Writer {
	if r.zip != nil {
		return r.zip
	}
	return r.spool
}

// replay sends a kept answer, the whole of this one. A client that goes away
// needs no word; one that stays gets the length and cannot be deceived.
func (r *reply) replay(a *cachedAnswer) {
	r.started, r.replayed = true, true
	r.w.Header().Set("Content-Length", strconv.FormatInt(a.Size, 10))
	if a.Zipped {
		r.w.Header().Set("Content-Encoding", "gzip")
	}
	_, _ = a.WriteTo(r.w)
}

// start begins the answer with its first part, which is all of an answer
// that is smaller than the buffer before it.
func (r *reply) start(size int) error {
	if r.started {
		return nil
	}
	r.started = true
	if r.accepts && size >= negotiate.ZipFrom {
		r.w.Header().Set("Content-Encoding", "gzip")
		r.zip = negotiate.Compressor(r.spool)
	}
	r.w.WriteHeader(http.StatusOK) // what fails from here on cannot be another answer
	_, err := io.WriteString(r.out(), r.before)
	return err
}

// close ends the answer; finish of the spool sends what is left of it.
func (r *reply) close() error {
	_, err := io.WriteString(r.out(), r.behind)
	if r.zip != nil {
		err = errors.Join(err, r.zip.Close())
		negotiate.Return(r.zip)
	}
	return err
}

// cacheIn keeps a whole answer for later and waiting callers, where
// its operation said what it is. It may still be on its way to the client, and the
// caller releases it; nil for none.
func (r *reply) cacheIn(others *answerCache) *cachedAnswer {
	if r.keep == nil {
		return nil
	}
	a := answer.KeepFile(r.spool, *r.keep, r.version, r.zip != nil)
	if a != nil {
		others.Put(a)
	}
	return a
}
