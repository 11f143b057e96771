package service

import (
	"net/http"
	"strings"
	"sync"
	"time"

	"paperfs/remote"
	"paperfs/remote/service/address"
	"paperfs/remote/service/store"
)

const (
	// rememberedFor is how long a caller is remembered after its key was checked.
	rememberedFor = time.Minute
	// mostRemembered bounds how many callers are.
	mostRemembered = 1024
	// longestRemembered is how long a host may be: more is no name, and takes memory.
	longestRemembered = 255
	// rememberedBody is how large a body may be whose caller is only remembered: a
	// sender whose key was taken away meanwhile can do no more than send that.
	rememberedBody = 2 * store.SmallContent
)

// rememberedCallers are those whose keys were good a moment ago. A call of such a one
// that changes something, and is small, is admitted without a query of its own: its change
// asks the store for the caller, in its own transaction, and refuses one that is not good
// any more. Where it comes to no change, its caller is asked for before it is answered.
type rememberedCallers struct {
	mu  sync.Mutex // guards all
	all map[callerName]rememberedCaller
}

type callerName struct{ host, account string }

type rememberedCaller struct {
	store.Caller
	until time.Time
}

func (r *rememberedCallers) find(who callerName, now time.Time) (store.Caller, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	k, known := r.all[who]
	return k.Caller, known && now.Before(k.until)
}

func (r *rememberedCallers) add(who callerName, k store.Caller, now time.Time) {
	if len(who.host) > longestRemembered {
		return
	}
	who.host = strings.Clone(who.host) // else all of the request's line stays
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all == nil || len(r.all) >= mostRemembered {
		r.all = map[callerName]rememberedCaller{}
	}
	r.all[who] = rememberedCaller{k, now.Add(rememberedFor)}
}

func (r *rememberedCallers) remove(who callerName) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.all, who)
}

// callerName is how the caller calls itself.
func (c *call) callerName() callerName {
	return callerName{address.Host(c.request.Host), c.param(c.pair.Username)}
}

// fromMemory admits the sender of a small change by what is remembered of it, and
// reports whether it could. It does not where there are several changes in one call: what
// is wrong with the caller would be said of the first.
func (c *call) fromMemory() bool {
	r := c.request
	if !c.op.Changes || c.op == remote.SetMultipleCustomFieldValues || r.Method != http.MethodPost || r.ContentLength < 0 || r.ContentLength > rememberedBody {
		return false
	}
	k, known := c.service.remembered.find(c.callerName(), time.Now())
	c.unconfirmed = known && c.recognize(k) == nil
	c.readOnly = false // a window that was open may have ended: the change asks
	return c.unconfirmed
}

// confirm judges in a change whose caller was only remembered, as the store knows it
// now.
func (c *call) confirm(tx store.Reader) error {
	who := c.callerName()
	k, err := tx.Caller(who.host, who.account)
	if err != nil {
		return err
	}
	was := c.tenant.ID
	if err := c.confirmAs(who, k); err != nil || k.Tenant.ID == was {
		return err
	}
	c.service.remembered.remove(who) // the change is one of the tenant that had the host before
	return errRemoved()
}

// confirmed returns err, which a call has come to, or that its caller, who was only
// remembered, is not good any more.
func (c *call) confirmed(err error) error {
	if !c.unconfirmed {
		return err
	}
	who := c.callerName()
	k, failed := c.caller(who)
	if failed == nil {
		failed = c.confirmAs(who, k)
	}
	if failed != nil {
		return failed
	}
	return err
}

func (c *call) confirmAs(who callerName, k store.Caller) error {
	c.unconfirmed = false
	err := c.recognize(k)
	if err == nil {
		err = c.refuseReadOnly(k.ReadOnly)
	}
	if err != nil {
		c.service.remembered.remove(who)
	}
	return err
}
