package call

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"paperfs/remote"
	"paperfs/remote/service/address"
	"paperfs/remote/service/admission"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/store"
)

// admit checks the caller: credentials, role, rate, and the maintenance window. It runs
// when the content of an upload begins, and again when the upload is complete, because
// other credentials may follow the content.
func (c *Call) admit(pair remote.Pair) error {
	credentials := [2]string{c.Param(pair.Username), c.Param(pair.Password)}
	if c.admitted != nil && *c.admitted == credentials {
		return nil
	}
	c.admitted = nil
	if err := c.judge(pair); err != nil {
		return err
	}
	c.admitted = &credentials
	c.deadlines.Know()
	return nil
}

func (c *Call) judge(pair remote.Pair) error {
	if err := c.authenticate(pair); err != nil {
		return err
	}
	if l := c.Service.Accounts; l != nil {
		wait, err := l.Take(context.WithoutCancel(c.Context()), c.Account.ID)
		if err != nil {
			return err
		}
		if wait > 0 {
			return c.Service.tooMany("Too many requests.", wait)
		}
	}
	return c.refuseReadOnly(c.readOnly)
}

// authenticate finds the caller's tenant and account.
func (c *Call) authenticate(pair remote.Pair) error {
	c.pair, c.unconfirmed = pair, false
	if c.signedIn != nil {
		return c.signIn()
	}
	who := c.callerName()
	known, remembered := c.Service.remembered.Find(who, time.Now())
	if remembered && c.recognize(known) == nil && c.confirmable() {
		c.unconfirmed = true
		c.readOnly = false // the change checks whether a maintenance window is open
		return nil
	}
	k, err := c.caller(who)
	if err != nil {
		c.Account = store.Account{} // that was only remembered
		return err
	}
	if err := c.recognize(k); err != nil {
		return err
	}
	c.Service.remembered.Add(who, k, time.Now())
	return nil
}

// caller returns what the store knows of the caller. Whose key was good a moment ago waits with others of its tenant,
// not with strangers.
func (c *Call) caller(who admission.CallerName) (store.Caller, error) {
	// Making so small a query cancellable would cost more than the query.
	return c.Service.Store.Caller(context.WithoutCancel(c.Context()), who.Host, who.Account)
}

// recognize checks the caller's key and role. An unknown name gets the same answer as a
// wrong password, after the same work.
func (c *Call) recognize(k store.Caller) error {
	c.Tenant, c.Account, c.readOnly = k.Tenant, k.Account, k.ReadOnly
	c.key = datadir.HashKey(c.Param(c.pair.Password))
	if keyIsGood(c.Account, c.key, c.Service.Now()) {
		return c.checkRole()
	}
	c.Account = store.Account{}
	if k.OtherHost {
		return answer.Refuse(remote.LoginSecurityViolation, "The user name or the password is wrong, or the host name is: no tenant has the host name %s, so the account was looked for in the tenant %s.", address.Host(c.Request.Host), k.Tenant.Name)
	}
	return answer.Refuse(remote.LoginSecurityViolation, "The user name or the password is wrong.")
}

// MayAsk counts a request without credentials and reports whether to serve it. It has
// answered a request that its address sent too soon after others.
func (s *Service) MayAsk(w http.ResponseWriter, r *http.Request) bool {
	failure := s.TooOften(r)
	if failure == nil {
		return true
	}
	failure.Answer(w)
	return false
}

// TooOften counts a request without good credentials. It returns the refusal of one that
// came too soon; nil for others.
func (s *Service) TooOften(r *http.Request) *answer.Failure {
	wait := s.Addresses.Take(address.Network(r))
	if wait == 0 {
		return nil
	}
	return s.tooMany("Too many requests from your address.", wait)
}

// tooMany refuses a request; its sender may try again after wait.
func (s *Service) tooMany(line string, wait time.Duration) *answer.Failure {
	s.Metrics.limited.Inc()
	return &answer.Failure{Status: http.StatusTooManyRequests, Line: line,
		Header: http.Header{"Retry-After": {strconv.Itoa(int((wait + time.Second - 1) / time.Second))}}}
}

// rememberedBody is the largest body of a caller that is only remembered: a sender
// whose key was revoked since can do no more than send that.
const rememberedBody = 2 * store.SmallContent

// callerName returns the names under which the caller sent the call.
func (c *Call) callerName() admission.CallerName {
	return admission.CallerName{Host: address.Host(c.Request.Host), Account: c.Param(c.pair.Username)}
}

// confirmable reports whether the sender is admitted by what is remembered of it: that of a small change
// is, but not for an operation of several changes, whose answer would report a bad caller as a failure of the first.
func (c *Call) confirmable() bool {
	r := c.Request
	return c.op.Changes && c.op != remote.SetMultipleCustomFieldValues && r.Method == http.MethodPost && r.ContentLength >= 0 && r.ContentLength <= rememberedBody
}

// confirm checks, within the change, a caller that was only remembered.
func (c *Call) confirm(tx store.Reader) error {
	who := c.callerName()
	k, err := tx.Caller(who.Host, who.Account)
	if err != nil {
		return err
	}
	was := c.Tenant.ID
	if err := c.confirmAs(who, k); err != nil || k.Tenant.ID == was {
		return err
	}
	c.Service.remembered.Remove(who) // the host belongs to another tenant now
	return errRemoved()
}

// confirmed returns err, the outcome of a call; or why its caller, which was only
// remembered, may not call any more.
func (c *Call) confirmed(err error) error {
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

func (c *Call) confirmAs(who admission.CallerName, k store.Caller) error {
	c.unconfirmed = false
	err := c.recognize(k)
	if err == nil {
		err = c.refuseReadOnly(k.ReadOnly)
	}
	if err != nil {
		c.Service.remembered.Remove(who)
	}
	return err
}
