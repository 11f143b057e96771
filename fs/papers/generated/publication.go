package generated

import (
	"context"
	"syscall"

	"paperfs/fs/errno"
	"paperfs/fs/virtual"
)

// publication is the file of a paper's publication period, an ISO 8601 interval with an
// exclusive end and offsets of the mount's zone; empty if none is set.
func (g *Nodes) publication(id int64) *virtual.Value {
	load := func(context.Context) (string, error) {
		n, err := g.Node(id)
		return formatPeriod(n.Period, g.Zone), err
	}
	v := g.Value(id, load, func(ctx context.Context, value string) error {
		p, err := parsePeriod(value, g.Zone)
		if err != nil {
			return errno.Refuse(syscall.EINVAL, err.Error())
		}
		return g.Catalogue.SetPeriod(ctx, id, p)
	})
	v.Known = func() (string, bool) {
		value, err := load(context.Background())
		return value, err == nil
	}
	return v
}
