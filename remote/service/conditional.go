package service

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"

	"paperfs/remote"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/negotiate"
	"paperfs/remote/service/store"
)

// treeFormat is part of every validator. A program that writes trees in another
// way has another.
const treeFormat = 1

// mostAnswers is how many answers are kept: of those that are large. A smaller one is made
// again in some milliseconds.
const mostAnswers = 8

// answerKey is what an answer depends on beside the version of the tree.
type answerKey struct {
	op           string
	tenant, node int64
	rootURL      string
	public       string             // what addresses in it begin with; "" for none
	accepts      bool               // the client takes gzip
	soap         remote.SOAPVersion // "" for a form
}

type (
	answerCache  = answer.Cache[answerKey, int64]
	cachedAnswer = answer.Kept[answerKey, int64]
	making       = answer.Making[answerKey, int64]
)

// treeAnswer is an answer that is the same as long as a tree is: of nodes
// (GetAllPapers) or of media (GetTree).
type treeAnswer struct {
	key     answerKey
	version func(tx store.Reader) (int64, error)
	check   func(tx store.Reader) error // whether there is such a tree; nil for always
	write   func(tx store.Reader, x *answer.Writer) error
}

// sendTree answers with what the client has, by its validator; with an answer
// that was made before, or is being made; else it makes one.
func (c *call) sendTree(x *answer.Writer, t treeAnswer) error {
	cache := &c.service.answers
	place := c.service.walks.Place(c.tenant.ID)
	defer place.Leave()
	for alone := false; ; {
		var found *cachedAnswer
		var other *making
		full := false
		err := c.read(func(tx store.Reader) error {
			if t.check != nil {
				if err := t.check(tx); err != nil {
					return err
				}
			}
			version, err := t.version(tx)
			if err != nil || c.unchanged(t.key, version) {
				return err
			}
			if !alone {
				found, c.reply.making, other = cache.Claim(t.key, version)
			}
			if found != nil || other != nil {
				return nil
			}
			if full = !place.Try(); full {
				return nil
			}
			c.reply.keep, c.reply.version = &t.key, version
			return t.write(tx, x)
		})
		place.Leave()
		if found != nil {
			defer cache.Release(found) // the loop ends here
		}
		switch {
		case err == nil && full:
			cache.Done(c.reply.making, false) // another may come first
			c.reply.making = nil
			if err := place.Enter(c.ctx()); err != nil {
				return err
			}
			continue
		case err != nil || other == nil && found == nil:
			return err
		case found != nil:
			c.reply.replay(found)
			return nil
		}
		select {
		case <-other.Done():
			// Each caller makes an answer that is too small to be kept.
			alone = other.Alone()
		case <-c.ctx().Done():
			return c.ctx().Err()
		}
	}
}

// preferUnchanged is the preference, with the value 412, of a client that
// understands that answer to a POST with If-None-Match. Others get the whole
// answer.
const preferUnchanged = "unchanged"

// unchanged sets the validator of the answer and reports whether the client has
// that answer already, in which case it needs no other.
func (c *call) unchanged(key answerKey, version int64) bool {
	tag := c.validator(key, version)
	c.reply.w.Header().Set("ETag", tag)
	switch {
	case c.soap != nil || !negotiate.Matches(c.request.Header.Values("If-None-Match"), tag):
	case c.request.Method == http.MethodGet:
		c.reply.unchanged = http.StatusNotModified
	case negotiate.Preference(c.request.Header.Values("Prefer"), preferUnchanged) == "412":
		c.reply.unchanged = http.StatusPreconditionFailed
	}
	return c.reply.unchanged != 0
}

// validator names all that the answer depends on. It is weak: compressed or not,
// the answer is the same.
func (c *call) validator(key answerKey, version int64) string {
	o := c.service.options
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %d %d %d %q %q %q %q %d %t", treeFormat, key.op, key.tenant, key.node, version,
		key.rootURL, key.public, key.soap, c.service.options.namespace(), o.CDATA, o.RawTree))
	return `W/"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`
}

// treeKey is the key of a tree's answers for this caller.
func (c *call) treeKey(node int64) answerKey {
	key := answerKey{op: c.op.Name, tenant: c.tenant.ID, node: node, rootURL: c.tenant.RootURL, accepts: c.reply.accepts}
	if c.op == remote.GetTree {
		key.public = c.service.base.Public(c.request, c.tenant, "")
	}
	if c.soap != nil {
		key.soap = c.soap.version
	}
	return key
}
