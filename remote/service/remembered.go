package service

import (
	"net/http"
	"time"

	"paperfs/remote"
	"paperfs/remote/service/address"
	"paperfs/remote/service/admission"
	"paperfs/remote/service/store"
)

// rememberedBody is the largest body of a caller that is only remembered: a sender
// whose key was revoked since can do no more than send that.
const rememberedBody = 2 * store.SmallContent

// callerName returns the names under which the caller sent the call.
func (c *call) callerName() admission.CallerName {
	return admission.CallerName{Host: address.Host(c.request.Host), Account: c.param(c.pair.Username)}
}

// fromMemory admits the sender of a small change by what is remembered of it, and
// reports whether it did. It does not for an operation of several changes: its answer
// would report a bad caller as a failure of the first change.
func (c *call) fromMemory() bool {
	r := c.request
	if !c.op.Changes || c.op == remote.SetMultipleCustomFieldValues || r.Method != http.MethodPost || r.ContentLength < 0 || r.ContentLength > rememberedBody {
		return false
	}
	k, known := c.service.remembered.Find(c.callerName(), time.Now())
	c.unconfirmed = known && c.recognize(k) == nil
	c.readOnly = false // the change checks whether a maintenance window is open
	return c.unconfirmed
}

// confirm checks, within the change, a caller that was only remembered.
func (c *call) confirm(tx store.Reader) error {
	who := c.callerName()
	k, err := tx.Caller(who.Host, who.Account)
	if err != nil {
		return err
	}
	was := c.tenant.ID
	if err := c.confirmAs(who, k); err != nil || k.Tenant.ID == was {
		return err
	}
	c.service.remembered.Remove(who) // the host belongs to another tenant now
	return errRemoved()
}

// confirmed returns err, the outcome of a call; or why its caller, which was only
// remembered, may not call any more.
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

func (c *call) confirmAs(who admission.CallerName, k store.Caller) error {
	c.unconfirmed = false
	err := c.recognize(k)
	if err == nil {
		err = c.refuseReadOnly(k.ReadOnly)
	}
	if err != nil {
		c.service.remembered.Remove(who)
	}
	return err
}
