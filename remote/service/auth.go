package service

import (
	"context"
	"crypto/subtle"
	"time"

	"paperfs/remote"
	"paperfs/remote/service/admission"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/fault"
	"paperfs/remote/service/store"
)

// admit checks the caller: credentials, role, rate, and the maintenance window. It runs
// when the content of an upload begins, and again when the upload is complete, because
// other credentials may follow the content.
func (c *call) admit(pair remote.Pair) error {
	credentials := [2]string{c.param(pair.Username), c.param(pair.Password)}
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

func (c *call) judge(pair remote.Pair) error {
	if err := c.authenticate(pair); err != nil {
		return err
	}
	if l := c.service.accounts; l != nil {
		wait, err := l.Take(context.WithoutCancel(c.ctx()), c.account.ID)
		if err != nil {
			return err
		}
		if wait > 0 {
			return c.service.tooMany("Too many requests.", wait)
		}
	}
	return c.refuseReadOnly(c.readOnly)
}

// authenticate finds the caller's tenant and account.
func (c *call) authenticate(pair remote.Pair) error {
	c.pair, c.unconfirmed = pair, false
	if c.fromMemory() {
		return nil
	}
	who := c.callerName()
	k, err := c.caller(who)
	if err != nil {
		return err
	}
	if err := c.recognize(k); err != nil {
		return err
	}
	c.service.remembered.Add(who, k, time.Now())
	return nil
}

// caller returns what the store knows of the caller.
func (c *call) caller(who admission.CallerName) (store.Caller, error) {
	// Making so small a query cancellable would cost more than the query.
	return c.service.store.Caller(context.WithoutCancel(c.ctx()), who.Host, who.Account)
}

// recognize checks the caller's key and role. An unknown name gets the same answer as a
// wrong password, after the same work.
func (c *call) recognize(k store.Caller) error {
	c.tenant, c.account, c.readOnly = k.Tenant, k.Account, k.ReadOnly
	known := c.account.ID != 0
	c.key = datadir.HashKey(c.param(c.pair.Password))
	equal := c.keyIsGood(c.key)
	switch {
	case !equal || !known:
		c.account = store.Account{}
		return fault.Refuse(remote.LoginSecurityViolation, "The user name or the password is wrong.")
	case c.account.Role < c.op.Role:
		return fault.Refuse(remote.LoginSecurityViolation, "This account may not call %s.", c.op.Name)
	}
	return nil
}

// keyIsGood compares with the account's key, and with the old key while that is still
// valid.
func (c *call) keyIsGood(hash [32]byte) bool {
	good := subtle.ConstantTimeCompare(hash[:], c.account.KeyHash[:])
	if old := c.account.OldKey; old != nil && c.service.now().Before(old.Until) {
		good |= subtle.ConstantTimeCompare(hash[:], old.Hash[:])
	}
	return good == 1
}
