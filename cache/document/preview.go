package document

import (
	"context"
	"fmt"
	"net/netip"
	"net/url"
	"time"

	"paperfs/remote"
	"paperfs/remote/rules"
)

// Preview is a link that opens a paper regardless of its publication period, until it
// expires.
type Preview struct {
	Link  string
	Until time.Time // UTC
}

// Preview creates a preview link for a paper, valid for the given minutes and, unless ip
// is empty, only for that client address: 1 request. For minutes outside 1 to 525600 or an
// invalid ip it returns ErrInvalid without a request.
func (c *Cache) Preview(ctx context.Context, node remote.Node, minutes int, ip string) error {
	if minutes < 1 || minutes > rules.MaxPreviewMinutes {
		return fmt.Errorf("%w: %d minutes; a preview lasts 1 to %d", ErrInvalid, minutes, rules.MaxPreviewMinutes)
	}
	if ip != "" {
		if a, err := netip.ParseAddr(ip); err != nil || a.Zone() != "" {
			return fmt.Errorf("%w: %q is not an IP address", ErrInvalid, ip)
		}
	}
	made := c.now().UTC()
	token, err := c.service.CreatePreviewToken(ctx, node.ID, minutes, ip)
	if err != nil {
		return err
	}
	// The token exists now, so record it even if the caller has left.
	ctx = context.WithoutCancel(ctx)
	if _, err := c.db.ExecContext(ctx, `DELETE FROM preview WHERE until <= ?`, made.Unix()); err != nil {
		c.log.Warn("cannot delete expired previews", "error", err)
	}
	_, err = c.db.ExecContext(ctx, `INSERT INTO preview (paper, token, until) VALUES (?, ?, ?)`,
		node.ID, token, made.Add(time.Duration(minutes)*time.Minute).Unix())
	if err != nil {
		return fmt.Errorf("the preview was created, but this machine could not record it: %w", err)
	}
	return nil
}

// Previews returns the unexpired links that were created on this machine for a paper,
// newest last. A link contains the paper's current address: tokens survive a change of it.
// It makes no requests.
func (c *Cache) Previews(node remote.Node) ([]Preview, error) {
	return all(c.db, func(scan func(...any) error, p *Preview) error {
		var token string
		var until int64
		err := scan(&token, &until)
		p.Link, p.Until = c.Address(node)+"?SecurityToken="+url.QueryEscape(token), time.Unix(until, 0).UTC()
		return err
	}, `SELECT token, until FROM preview WHERE paper = ? AND until > ? ORDER BY id`, node.ID, c.now().Unix())
}

// Address returns a node's complete public address.
func (c *Cache) Address(node remote.Node) string {
	return c.public + (&url.URL{Path: node.URL}).EscapedPath()
}
