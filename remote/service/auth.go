package service

import (
	"context"
	"crypto/subtle"
	"errors"
	"net/http"
	"strconv"
	"time"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

// admit checks who calls: credentials, role, rate, and the maintenance window.
// An upload is admitted when its content begins, and again when it is complete
// should other credentials have come behind the content.
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
	return nil
}

func (c *call) judge(pair remote.Pair) error {
	if err := c.authenticate(pair); err != nil {
		return err
	}
	if l := c.service.limiter; l != nil {
		if wait := l.take(c.account.ID, time.Now()); wait > 0 {
			return &httpFailure{status: http.StatusTooManyRequests, line: "Too many requests.",
				header: http.Header{"Retry-After": {strconv.Itoa(int((wait + time.Second - 1) / time.Second))}}}
		}
	}
	return c.refuseReadOnly(c.readOnly)
}

// authenticate finds the caller's tenant and account. An unknown name gets the
// answer of a wrong password, after the same work.
func (c *call) authenticate(pair remote.Pair) error {
	known := true
	// To be able to end three small queries costs more than they do.
	err := c.service.store.Read(context.WithoutCancel(c.ctx()), func(tx store.Reader) (err error) {
		if c.tenant, err = tx.TenantByHost(hostName(c.request.Host)); err != nil {
			return err
		}
		if c.readOnly, err = tx.ReadOnly(); err != nil {
			return err
		}
		c.account, err = tx.Account(c.tenant.ID, c.param(pair.Username))
		if errors.Is(err, store.ErrNotFound) {
			known, err = false, nil
		}
		return err
	})
	if err != nil {
		return err
	}
	hash := hashKey(c.param(pair.Password))
	equal := subtle.ConstantTimeCompare(hash[:], c.account.KeyHash[:]) == 1
	switch {
	case !equal || !known:
		c.account = store.Account{}
		return refuse(remote.LoginSecurityViolation, "The user name or the password is wrong.")
	case c.account.Role < c.op.Role:
		return refuse(remote.LoginSecurityViolation, "This account may not call %s.", c.op.Name)
	}
	return nil
}
