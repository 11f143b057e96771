package service

import (
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strconv"

	"paperfs/remote/service/answer"
	"paperfs/remote/service/fault"
	"paperfs/remote/service/store"
)

// reply writes the bytes of an answer: escaped in a string element if the operation has
// one, compressed if the client accepts that.
type reply struct {
	w        http.ResponseWriter
	spool    *answer.Spool // to w
	keep     *answerKey    // key of the answer in the cache; nil = it is not cached
	version  int64         // of it
	making   *making       // claim on the answer, for which other calls may wait; nil for none
	zip      *gzip.Writer  // nil for none
	accepts  bool          // the client takes gzip
	before   string        // text before the result document; "" for none
	behind   string        // text after it
	escape   bool          // the document is escaped, as text within before and behind
	escaped  []byte        // buffer for that
	started  bool          // something went out
	replayed bool          // a cached answer went out
	// unchanged is the status for a client that has the answer already; 0 for all others.
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

// replay sends a cached answer. An error is not reported: the answer has its length, so
// that no client mistakes a part for the whole.
func (r *reply) replay(a *cachedAnswer) {
	r.started, r.replayed = true, true
	r.w.Header().Set("Content-Length", strconv.FormatInt(a.Size, 10))
	if a.Zipped {
		r.w.Header().Set("Content-Encoding", "gzip")
	}
	_, _ = a.WriteTo(r.w)
}

// start begins the answer when its first part is known. An answer smaller than the
// buffer before it has only that part.
func (r *reply) start(size int) error {
	if r.started {
		return nil
	}
	r.started = true
	if r.accepts && size >= answer.ZipFrom {
		r.w.Header().Set("Content-Encoding", "gzip")
		r.zip = answer.FastGzip.Writer(r.spool)
	}
	r.w.WriteHeader(http.StatusOK) // a failure after this cannot become another answer
	_, err := io.WriteString(r.out(), r.before)
	return err
}

// close ends the answer. Finish of the spool sends the rest of it.
func (r *reply) close() error {
	_, err := io.WriteString(r.out(), r.behind)
	if r.zip != nil {
		err = errors.Join(err, r.zip.Close())
		answer.FastGzip.Return(r.zip)
	}
	return err
}

// cacheIn caches a complete answer for later and waiting calls, if its operation set its
// key. The answer may not have reached its client yet. The caller releases the result,
// which is nil if the answer is not cached.
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

// away returns the answer to a call that failed because an engine could not be reached, or
// because other requests left no room for too long; nil for other failures. The answer has no
// envelope: clients recognize it as a temporary failure. It is 503 only if the call changed
// nothing, so that a balancer may send the call to another node.
func (c *call) away(err error) *fault.Failure {
	if !errors.Is(err, store.ErrAway) && !errors.Is(err, store.ErrSlow) {
		return nil
	}
	f := &fault.Failure{Status: http.StatusServiceUnavailable, Line: "The service cannot do this at the moment; try again later.", Header: http.Header{"Retry-After": {fault.RetryAfter}}}
	if c.changed {
		f.Status, f.Line = http.StatusGatewayTimeout, "The service could not complete this, and may have changed something; look before you try again."
	}
	return f
}

// answerAway answers with a failure outside the envelope, as SOAP to a SOAP call.
func (c *call) answerAway(l *requestLog, failure *fault.Failure, err error) {
	c.service.log.Error("operation failed", "request", c.number, "operation", c.op.Name, "error", err)
	l.code = ""
	l.Header().Del("ETag")
	if c.soap != nil {
		c.service.soapFailure(l, c.soap.version, failure)
		return
	}
	failure.Answer(l)
}
