package generated

import (
	"context"
	"fmt"
	"syscall"
	"time"

	"paperfs/cache/catalogue"
	"paperfs/cache/document"
	"paperfs/fs/errno"
	"paperfs/fs/inode"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

// Options of Nodes.
type Options struct {
	*virtual.Env
	Catalogue *catalogue.Catalogue
	Documents *document.Cache
	// Started is the time shown for nodes that stand for nothing on the service.
	Started func() time.Time
}

// Nodes creates the generated nodes of a mount.
type Nodes struct {
	Options
	walkers walkers
}

// New returns Nodes.
func New(o Options) *Nodes { return &Nodes{Options: o} }

// Snapshot returns the current tree. Only the first call of a mount without a saved
// catalogue waits for the service.
func (g *Nodes) Snapshot(ctx context.Context) (*catalogue.Snapshot, error) {
	if s := g.Catalogue.Peek(); s != nil {
		return g.Catalogue.Snapshot(ctx)
	}
	return virtual.Read(ctx, g.Catalogue.Snapshot)
}

// Node returns the catalogue's record of a node that was looked up before.
func (g *Nodes) Node(id int64) (remote.Node, error) {
	if s := g.Catalogue.Peek(); s != nil {
		if n, ok := s.Node(id); ok {
			return n, nil
		}
	}
	return remote.Node{}, errno.Refuse(syscall.ENOENT, fmt.Sprintf("the service no longer has the node %d", id))
}

// Since returns the time of a node and of everything generated for it: when this account
// first saw it.
func (g *Nodes) Since(id int64) func() time.Time {
	return func() time.Time {
		if s := g.Catalogue.Peek(); s != nil {
			if seen := s.Seen(id); !seen.IsZero() {
				return seen
			}
		}
		return g.Started()
	}
}

// About describes the generated nodes that belong to a node.
func (g *Nodes) About(id int64) virtual.About {
	return virtual.About{ID: id, Time: g.Since(id), What: func() inode.Description {
		d := inode.Description{Kind: "category", State: inode.Published, ID: id}
		n, err := g.Node(id)
		if n.Kind == remote.PaperNode {
			d.Kind, d.Publication, d.Period = "paper", publicity(n.Period, time.Now()), formatPeriod(n.Period, g.Zone)
			if value, known := g.Documents.Known(document.DocSetting, id, "public"); known && string(value) == "false" {
				d.Publication = "not public"
			}
		}
		if err != nil {
			d.LastError = err.Error()
		}
		d.URL = n.URL
		if n.URL != "" {
			d.Address = g.Documents.Address(n)
		}
		return d
	}}
}

// Dir returns a generated directory that belongs to a node; id is 0 for none.
func (g *Nodes) Dir(id int64, source virtual.Source) *virtual.Dir {
	return &virtual.Dir{Env: g.Env, About: g.About(id), Source: source}
}

// document returns a generated file that belongs to a node.
func (g *Nodes) document(id int64, load func(context.Context) ([]byte, error), known func() ([]byte, bool)) *virtual.Document {
	return &virtual.Document{Env: g.Env, About: g.About(id), Load: load, Version: g.pagesVersion(id), Known: func() (int, bool) {
		data, ok := known()
		return len(data), ok
	}}
}

// pagesVersion returns a version that changes when the service has processed a paper
// again.
func (g *Nodes) pagesVersion(id int64) func() (uint64, bool) {
	return func() (uint64, bool) { return g.Documents.PagesVersion(id) }
}

// Value returns a generated value file that belongs to a node.
func (g *Nodes) Value(id int64, load func(context.Context) (string, error), store func(context.Context, string) error) *virtual.Value {
	return &virtual.Value{Env: g.Env, About: g.About(id), Load: load, Store: store}
}
