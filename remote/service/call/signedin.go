package call

import (
	"context"
	"crypto/subtle"
	"net/http"
	"time"

	"paperfs/remote"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/session"
	"paperfs/remote/service/store"
)

// The publisher's page calls operations by its session in place of a name and a key. It sends the session's token as a header or,
// from a form, as a parameter before the content.
const (
	TokenHeader = "Paperfs-Token"
	TokenField  = "token"
	// BackField is where a form of the page leads, once the operation is done.
	BackField = "back"
)

// SignedIn is the session of a call.
type SignedIn struct {
	Digest [32]byte
	Token  string // that the call has to send
}

// tokenSeen reports whether the token has arrived.
func (c *Call) tokenSeen() bool {
	_, inForm := c.Form.Get(TokenField)
	return inForm || c.Request.Header.Get(TokenHeader) != ""
}

// checkRole refuses an operation above the account's role.
func (c *Call) checkRole() error {
	if c.Account.Role < c.op.Role {
		return answer.Refuse(remote.LoginSecurityViolation, "This account may not call %s.", c.op.Name)
	}
	return nil
}

// checkToken refuses a call without the session's token.
func (c *Call) checkToken() error {
	sent := c.Request.Header.Get(TokenHeader)
	if sent == "" {
		sent = c.Param(TokenField)
	}
	if subtle.ConstantTimeCompare([]byte(sent), []byte(c.signedIn.Token)) != 1 {
		return &answer.Failure{Status: http.StatusForbidden, Line: "This request did not come from the page: open the page again."}
	}
	return nil
}

// signIn is authenticate for a session.
func (c *Call) signIn() error {
	if err := c.checkToken(); err != nil {
		return err
	}
	return c.Service.Store.Read(c.Context(), func(tx store.Reader) error {
		k, err := c.stillSignedIn(tx)
		if err != nil {
			c.Account = store.Account{}
			return err
		}
		c.Tenant, c.Account, c.readOnly = k.Tenant, k.Account, k.ReadOnly
		return c.checkRole()
	})
}

// stillSignedIn refuses a call whose session has ended.
func (c *Call) stillSignedIn(tx store.Reader) (store.Caller, error) {
	k, _, err := session.Find(tx, address.Host(c.Request.Host), c.signedIn.Digest, false, c.Now())
	if store.IsNotFound(err) {
		err = answer.Refuse(remote.LoginSecurityViolation, "You are signed out. Sign in again.")
	}
	return k, err
}

// Signs returns the account whose name and key somebody typed. The zero Account: they are wrong.
func (s *Service) Signs(ctx context.Context, host, account, key string) (store.Caller, error) {
	k, err := s.Store.Caller(context.WithoutCancel(ctx), host, account)
	k.Account.OldKey = nil // a session would outlive the time that a rotated key has left
	if !keyIsGood(k.Account, datadir.HashKey(key), s.Now()) {
		k.Account = store.Account{}
	}
	return k, err
}

// ByCurrentKey reports whether the caller sent the account's key, and not one that was rotated.
func (c *Call) ByCurrentKey() bool { return c.key == c.Account.KeyHash }

// keyIsGood compares with an account's key, and with the old key while that is still
// valid.
func keyIsGood(a store.Account, hash [32]byte, now time.Time) bool {
	good := subtle.ConstantTimeCompare(hash[:], a.KeyHash[:])
	if old := a.OldKey; old != nil && now.Before(old.Until) {
		good |= subtle.ConstantTimeCompare(hash[:], old.Hash[:])
	}
	return good == 1 && a.ID != 0
}
