package service

import (
	"net/netip"
	"time"

	"github.com/google/uuid"

	"paperfs/remote/rules"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/fault"
	"paperfs/remote/service/store"
)

func createPreviewToken(c *call, w *answer.Writer) error {
	id, err := c.id("paperID")
	if err != nil {
		return err
	}
	minutes, err := c.integer("validityMinutes", 1, rules.MaxPreviewMinutes)
	if err != nil {
		return err
	}
	ip, err := canonicalIP(c.param("ip"))
	if err != nil {
		return err
	}
	now := c.service.now()
	token := store.Token{Token: uuid.NewString(), Node: id, Expires: now.Add(time.Duration(minutes) * time.Minute), IP: ip}
	err = c.write(func(tx store.Writer) error {
		if _, err := c.paper(tx, id); err != nil {
			return err
		}
		return tx.AddToken(token, now)
	})
	if err != nil {
		return err
	}
	c.message = "The token follows."
	w.Scalar("token", token.Token)
	return nil
}

// canonicalIP reads a client address: empty, one IPv4 address or one IPv6 address.
func canonicalIP(text string) (string, error) {
	text = rules.Trim(text)
	if text == "" {
		return "", nil
	}
	ip, err := netip.ParseAddr(text)
	if err != nil || ip.Zone() != "" {
		return "", fault.Invalid("ip has to be empty or one IPv4 or IPv6 address.")
	}
	return ip.Unmap().String(), nil
}
