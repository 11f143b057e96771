package call

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"

	"paperfs/remote"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
)

// treeFormat is part of every validator. Raise it when the form of the trees changes.
const treeFormat = 3

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
	versions     bool               // see Call.PrefersVersions
	soap         remote.SOAPVersion // "" for a form
	json         bool
}

type (
	answerCache  = answer.Cache[answerKey, int64]
	cachedAnswer = answer.Kept[answerKey, int64]
	making       = answer.Making[answerKey, int64]
)

// TreeAnswer is an answer that changes only with a tree: that of nodes (GetAllPapers) or
// of media (GetTree).
type TreeAnswer struct {
	Key     answerKey
	Version func(tx store.Reader) (int64, error)
	Check   func(tx store.Reader) error // fails if there is no such tree; nil for no check
	Write   func(tx store.Reader, w *answer.Writer) error
}

// SendTree answers that the client's copy is current, by its validator; or with a cached
// answer, perhaps one that another call is making now; otherwise it makes the answer.
func (c *Call) SendTree(out *answer.Writer, t TreeAnswer) error {
	place := c.Service.Walks.Ticket(c.Tenant.ID)
	defer place.Leave()
	for alone := false; ; {
		var next treeStep
		err := c.Read(func(tx store.Reader) (err error) {
			next, err = c.tryTree(tx, out, t, place.Try, alone)
			return err
		})
		place.Leave()
		if next.cached != nil {
			defer c.Service.Answers.Release(next.cached) // the loop ends here
		}
		switch {
		case err != nil:
			return err
		case next.cached != nil:
			c.reply.replay(next.cached)
			return nil
		case next.full:
			c.Service.Answers.Done(c.reply.making, false) // another call may make it first
			c.reply.making = nil
			if err := place.Enter(c.Context()); err != nil {
				return err
			}
		case next.other != nil:
			select {
			case <-next.other.Done():
				// An answer that is too small for the cache is made by each caller for itself.
				alone = next.other.Alone()
			case <-c.Context().Done():
				return c.Context().Err()
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
func (c *Call) tryTree(tx store.Reader, out *answer.Writer, t TreeAnswer, mayWalk func() bool, alone bool) (next treeStep, err error) {
	if t.Check != nil {
		if err := t.Check(tx); err != nil {
			return next, err
		}
	}
	version, err := t.Version(tx)
	if err != nil || c.unchanged(t.Key, version) {
		return next, err
	}
	if !alone {
		next.cached, c.reply.making, next.other = c.Service.Answers.Claim(t.Key, version)
	}
	if next.cached != nil || next.other != nil {
		return next, nil
	}
	if next.full = !mayWalk(); next.full {
		return next, nil
	}
	c.reply.keep, c.reply.version = &t.Key, version
	return next, t.Write(tx, out)
}

// preferUnchanged is the preference, with the value 412, of a client that understands the
// status 412 as the answer to a POST with If-None-Match. Other clients get the whole
// answer.
const preferUnchanged = "unchanged"

// unchanged sets the validator of the answer, and reports whether the client has that
// answer already.
func (c *Call) unchanged(key answerKey, version int64) bool {
	tag := c.validator(key, version)
	c.reply.w.Header().Set("ETag", tag)
	switch {
	case c.SOAP != nil || !answer.MatchesTag(c.Request.Header.Values("If-None-Match"), tag):
	case c.Request.Method == http.MethodGet:
		c.reply.unchanged = http.StatusNotModified
	default:
		if status, _ := answer.Preference(c.Request.Header.Values("Prefer"), preferUnchanged); status == "412" {
			c.reply.unchanged = http.StatusPreconditionFailed
		}
	}
	return c.reply.unchanged != 0
}

// validator is a hash of everything that the answer depends on. It is weak because it is
// the same for a compressed answer.
func (c *Call) validator(key answerKey, version int64) string {
	o := c.Service.Options
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %d %d %d %q %q %q %q %d %t", treeFormat, key.op, key.tenant, key.node, version,
		key.rootURL, key.public, key.soap, c.Service.Options.XMLNamespace(), o.CDATA, o.RawTree))
	if key.versions {
		sum = sha256.Sum256(append(sum[:], "versions"...))
	}
	if key.json {
		sum = sha256.Sum256(append(sum[:], "json"...))
	}
	return `W/"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`
}

// TreeKey returns the cache key of a tree's answer to this caller.
func (c *Call) TreeKey(node int64) answerKey {
	key := answerKey{op: c.op.Name, tenant: c.Tenant.ID, node: node, rootURL: c.Tenant.RootURL, accepts: c.reply.accepts, versions: c.PrefersVersions(), json: c.JSON}
	if c.op == remote.GetTree {
		key.public = c.Service.Base.Public(c.Request, c.Tenant, "")
	}
	if c.SOAP != nil {
		key.soap = c.SOAP.Version
	}
	return key
}
