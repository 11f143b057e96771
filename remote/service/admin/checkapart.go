package admin

import (
	"context"

	"paperfs/remote/service/store"
)

// lookTogether is how many contents a check asks an object store for at once.
const lookTogether = 8

// CheckApart compares records with content that lies apart from them, such as in an
// object store. Services may go on. Content that no record names is told by the
// records themselves, whose ledger has it; nothing is listed. There is nothing to fix.
func CheckApart(ctx context.Context, records store.Store, contents Sized, o CheckOptions) (*CheckReport, error) {
	o.Fix = false
	c := &check{options: o, read: records.Read, contents: contents, together: lookTogether}
	holdings, err := c.records(ctx)
	if err != nil {
		return nil, err
	}
	return &c.report, c.holdings(ctx, holdings)
}
