package service

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"paperfs/remote"
	"paperfs/remote/service/answer"
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
	after    string        // text after it
	escape   bool          // the document is escaped, as text within before and after
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

// away returns the answer to a call that failed because an engine could not be reached, or
// because other requests left no room for too long; nil for other failures. The answer has no
// envelope: clients recognize it as a temporary failure. It is 503 only if the call changed
// nothing, so that a balancer may send the call to another node.
func (c *call) away(err error) *answer.Failure {
	if !errors.Is(err, store.ErrAway) && !errors.Is(err, store.ErrSlow) {
		return nil
	}
	f := &answer.Failure{Status: http.StatusServiceUnavailable, Line: "The service cannot do this at the moment; try again later.", Header: http.Header{"Retry-After": {answer.RetryAfter}}}
	if c.changed {
		f.Status, f.Line = http.StatusGatewayTimeout, "The service could not complete this, and may have changed something; look before you try again."
	}
	return f
}

// answerAway answers with a failure outside the envelope, as SOAP to a SOAP call.
func (c *call) answerAway(l *requestLog, failure *answer.Failure, err error) {
	c.service.log.Error("operation failed", "request", c.number, "operation", c.op.Name, "error", err)
	l.code = ""
	l.Header().Del("ETag")
	if c.soap != nil {
		c.service.soapFailure(l, c.soap.version, failure)
		return
	}
	failure.Answer(l)
}

// treeFormat is part of every validator. Raise it when the form of the trees changes.
const treeFormat = 2

// mostAnswers is how many large answers are cached. A small one can be made again in some
// milliseconds.
const mostAnswers = 8

// answerKey is what an answer depends on besides the version of the tree.
type answerKey struct {
	op           string
	tenant, node int64
	rootURL      string
	public       string             // the beginning of the addresses in it; "" for none
	accepts      bool               // the client takes gzip
	versions     bool               // see call.prefersVersions
	soap         remote.SOAPVersion // "" for a form
	json         bool
}

type (
	answerCache  = answer.Cache[answerKey, int64]
	cachedAnswer = answer.Kept[answerKey, int64]
	making       = answer.Making[answerKey, int64]
)

// treeAnswer is an answer that changes only with a tree: that of nodes (GetAllPapers) or
// of media (GetTree).
type treeAnswer struct {
	key     answerKey
	version func(tx store.Reader) (int64, error)
	check   func(tx store.Reader) error // fails if there is no such tree; nil for no check
	write   func(tx store.Reader, w *answer.Writer) error
}

// sendTree answers that the client's copy is current, by its validator; or with a cached
// answer, perhaps one that another call is making now; otherwise it makes the answer.
func (c *call) sendTree(out *answer.Writer, t treeAnswer) error {
	place := c.service.walks.Ticket(c.tenant.ID)
	defer place.Leave()
	for alone := false; ; {
		var next treeStep
		err := c.read(func(tx store.Reader) (err error) {
			next, err = c.tryTree(tx, out, t, place.Try, alone)
			return err
		})
		place.Leave()
		if next.cached != nil {
			defer c.service.answers.Release(next.cached) // the loop ends here
		}
		switch {
		case err != nil:
			return err
		case next.cached != nil:
			c.reply.replay(next.cached)
			return nil
		case next.full:
			c.service.answers.Done(c.reply.making, false) // another call may make it first
			c.reply.making = nil
			if err := place.Enter(c.ctx()); err != nil {
				return err
			}
		case next.other != nil:
			select {
			case <-next.other.Done():
				// An answer that is too small for the cache is made by each caller for itself.
				alone = next.other.Alone()
			case <-c.ctx().Done():
				return c.ctx().Err()
			}
		default:
			return nil
		}
	}
}

// treeStep is what is left to do after tryTree; nothing, if the call is answered.
type treeStep struct {
	cached *cachedAnswer // send it
	other  *making       // wait for the call that makes the answer
	full   bool          // wait for a place among the walks
}

// tryTree makes the answer, unless alone is false and the cache has it or another call makes it,
// or no walk may begin now.
func (c *call) tryTree(tx store.Reader, out *answer.Writer, t treeAnswer, mayWalk func() bool, alone bool) (next treeStep, err error) {
	if t.check != nil {
		if err := t.check(tx); err != nil {
			return next, err
		}
	}
	version, err := t.version(tx)
	if err != nil || c.unchanged(t.key, version) {
		return next, err
	}
	if !alone {
		next.cached, c.reply.making, next.other = c.service.answers.Claim(t.key, version)
	}
	if next.cached != nil || next.other != nil {
		return next, nil
	}
	if next.full = !mayWalk(); next.full {
		return next, nil
	}
	c.reply.keep, c.reply.version = &t.key, version
	return next, t.write(tx, out)
}

// preferUnchanged is the preference, with the value 412, of a client that understands the
// status 412 as the answer to a POST with If-None-Match. Other clients get the whole
// answer.
const preferUnchanged = "unchanged"

// unchanged sets the validator of the answer, and reports whether the client has that
// answer already.
func (c *call) unchanged(key answerKey, version int64) bool {
	tag := c.validator(key, version)
	c.reply.w.Header().Set("ETag", tag)
	switch {
	case c.soap != nil || !answer.MatchesTag(c.request.Header.Values("If-None-Match"), tag):
	case c.request.Method == http.MethodGet:
		c.reply.unchanged = http.StatusNotModified
	default:
		if status, _ := answer.Preference(c.request.Header.Values("Prefer"), preferUnchanged); status == "412" {
			c.reply.unchanged = http.StatusPreconditionFailed
		}
	}
	return c.reply.unchanged != 0
}

// validator is a hash of everything that the answer depends on. It is weak because it is
// the same for a compressed answer.
func (c *call) validator(key answerKey, version int64) string {
	o := c.service.options
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %d %d %d %q %q %q %q %d %t", treeFormat, key.op, key.tenant, key.node, version,
		key.rootURL, key.public, key.soap, c.service.options.namespace(), o.CDATA, o.RawTree))
	if key.versions {
		sum = sha256.Sum256(append(sum[:], "versions"...))
	}
	if key.json {
		sum = sha256.Sum256(append(sum[:], "json"...))
	}
	return `W/"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`
}

// treeKey returns the cache key of a tree's answer to this caller.
func (c *call) treeKey(node int64) answerKey {
	key := answerKey{op: c.op.Name, tenant: c.tenant.ID, node: node, rootURL: c.tenant.RootURL, accepts: c.reply.accepts, versions: c.prefersVersions(), json: c.json}
	if c.op == remote.GetTree {
		key.public = c.service.base.Public(c.request, c.tenant, "")
	}
	if c.soap != nil {
		key.soap = c.soap.version
	}
	return key
}
