package generated

import (
	"context"
	"fmt"
	"strings"
	"syscall"

	"paperfs/fs/errno"
	"paperfs/fs/virtual"
	"paperfs/remote"
	"paperfs/remote/rules"
)

// url is the file url: a node's address on the service. Writing its last segment, or the
// complete new address under the same parent, changes it.
func (g *Nodes) url(id int64) *virtual.Value {
	load := func(context.Context) (string, error) {
		n, err := g.Node(id)
		return n.URL, err
	}
	v := g.Value(id, load, func(ctx context.Context, value string) error {
		n, err := g.Node(id)
		if err != nil {
			return err
		}
		part, err := lastPart(n, value)
		if err != nil {
			return err
		}
		return g.changeURL(ctx, n, part)
	})
	v.Known = func() (string, bool) {
		n, err := g.Node(id)
		return n.URL, err == nil
	}
	return v
}

// changeURL changes the last segment of a node's address, and forgets the documents that
// contain the old one.
func (g *Nodes) changeURL(ctx context.Context, n remote.Node, part string) error {
	if err := g.Catalogue.ChangeURL(ctx, n.ID, part); err != nil {
		return err
	}
	if n.Kind == remote.PaperNode {
		g.Documents.Drop(n.ID)
	} else {
		g.Documents.DropAll()
	}
	return nil
}

// lastPart returns the new last segment of n's address from a value written to url.
func lastPart(n remote.Node, value string) (string, error) {
	part := value
	if strings.HasPrefix(value, "/") {
		parent, below := parentURL(n.URL), false
		if part, below = rules.CutPrefix(value, parent); !below {
			return "", errno.Refuse(syscall.EINVAL, fmt.Sprintf("%q is not below %q: use mv to move to another parent", value, parent))
		}
	}
	part = strings.TrimSuffix(part, "/")
	return part, checkPart(part)
}

// checkPart rejects text that cannot be the last segment of an address.
func checkPart(part string) error {
	if !rules.Segment(part) {
		return errno.Refuse(syscall.EINVAL, fmt.Sprintf("%q cannot be part of an address: use %s", part, rules.SegmentWords))
	}
	return nil
}

// parentURL returns the address without its last segment: /a/ for /a/b/.
func parentURL(url string) string {
	url = strings.TrimSuffix(url, "/")
	return url[:strings.LastIndexByte(url, '/')+1]
}
