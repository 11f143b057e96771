package call

import (
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strconv"

	"paperfs/remote/service/answer"
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
	after    string        // text after it
	escape   bool          // the document is escaped, as text within before and after
	escaped  []byte        // buffer for that
	started  bool          // something went out
	replayed bool          // a cached answer went out
	// unchanged is the status for a client that has the answer already; 0 for all others.
	unchanged int
}

// Raw returns where the answer goes that a handler sends itself, without an envelope.
func (c *Call) Raw() http.ResponseWriter {
	c.reply.started, c.reply.replayed = true, true
	return c.reply.w
}

// Resume lets a writer that was released write the answer.
func (c *Call) Resume(w *answer.Writer) { w.Take(c.reply) }

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
	_, err := io.WriteString(r.out(), r.after)
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
