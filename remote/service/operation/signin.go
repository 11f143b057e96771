package operation

import (
	"paperfs/remote"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/call"
	"paperfs/remote/service/session"
	"paperfs/remote/service/store"
)

// createSignInLink answers with a link that signs a browser in to the publisher's page as the caller's account, once and soon.
func createSignInLink(c *call.Call, w *answer.Writer) error {
	if !c.ByCurrentKey() {
		return answer.Refuse(remote.LoginSecurityViolation, "Only the account's present key makes links, no session and no key that was rotated.")
	}
	var at string
	err := c.Write(func(tx store.Writer) error {
		secret, err := session.Link(tx, c.Account.ID, session.LinkLife, c.Now())
		at = c.Service.Base.Public(c.Request, c.Tenant, "")
		for _, host := range c.Service.Options.ManageHosts { // one that has the page alone
			if t, err := tx.TenantByHost(address.Host(host)); err == nil && t.ID == c.Tenant.ID {
				at = "https://" + host + string(c.Service.Base)
			}
		}
		at += session.LinkPath + secret
		return err
	})
	if err != nil {
		return err
	}
	c.Message = "The link follows."
	w.Plain("address", at)
	return nil
}
