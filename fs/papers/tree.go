package papers

import (
	"context"
	"fmt"
	"sync"
	"syscall"
	"time"

	"paperfs/cache/catalogue"
	"paperfs/cache/document"
	"paperfs/cache/media"
	"paperfs/fs/describe"
	"paperfs/fs/errno"
	"paperfs/fs/flush"
	"paperfs/fs/papers/pending"
	"paperfs/fs/papers/period"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

// Options of a Tree.
type Options struct {
	*virtual.Env
	Catalogue *catalogue.Catalogue
	Documents *document.Cache
	Media     *media.Store // keeps the PDFs that are written here
	Judge     *flush.Judge // tells when they are whole
	// AllowDelete lets rmdir delete at the service.
	AllowDelete bool
	// Started is the time of nodes that stand for nothing of the service.
	Started func() time.Time
}

// Tree is what the nodes of papers/, by-id/, by-url/ and jobs/ share.
type Tree struct {
	Options
	notices
	removed removed // source.pdf
	hiding  removed // the PDF beside the paper
	pending *pending.Set
	temps   temps
	walkers walkers

	toldJobs sync.Map // GUIDs of failed jobs that were told
}

// snapshot is the catalogue as it is served now. Only the first call of a
// mount without a saved catalogue waits for the service.
func (t *Tree) snapshot(ctx context.Context) (*catalogue.Snapshot, error) {
	if s := t.Catalogue.Peek(); s != nil {
		return t.Catalogue.Snapshot(ctx)
	}
	return virtual.Read(ctx, t.Catalogue.Snapshot)
}

// node is what the catalogue says of a node that was looked up before.
func (t *Tree) node(id int64) (remote.Node, error) {
	if s := t.Catalogue.Peek(); s != nil {
		if n, ok := s.Node(id); ok {
			return n, nil
		}
	}
	return remote.Node{}, errno.Refuse(syscall.ENOENT, fmt.Sprintf("the service no longer has the node %d", id))
}

// since is the time of a node and of all that is generated for it: when it was
// first seen here.
func (t *Tree) since(id int64) func() time.Time {
	return func() time.Time {
		if s := t.Catalogue.Peek(); s != nil {
			if seen := s.Seen(id); !seen.IsZero() {
				return seen
			}
		}
		return t.Started()
	}
}

// about describes the generated nodes that belong to a node.
func (t *Tree) about(id int64) virtual.About {
	return virtual.About{ID: id, Time: t.since(id), What: func() describe.Description {
		d := describe.Description{Kind: "category", State: describe.Published, ID: id}
		n, err := t.node(id)
		if n.Kind == remote.PaperNode {
			d.Kind, d.Publication, d.Period = "paper", period.Publicity(n.Period, time.Now()), period.Format(n.Period)
		}
		if err != nil {
			d.LastError = err.Error()
		}
		d.URL = n.URL
		if n.URL != "" {
			d.Address = t.Documents.Address(n)
		}
		return d
	}}
}

// dir is a generated directory that belongs to a node, 0 for none.
func (t *Tree) dir(id int64, source virtual.Source) *virtual.Dir {
	return &virtual.Dir{Env: t.Env, About: t.about(id), Source: source}
}

// document is a generated file that belongs to a node.
func (t *Tree) document(id int64, load func(context.Context) ([]byte, error), known func() ([]byte, bool)) *virtual.Document {
	return &virtual.Document{Env: t.Env, About: t.about(id), Load: load, Version: t.pagesVersion(id), Known: func() (int, bool) {
		data, ok := known()
		return len(data), ok
	}}
}

// pagesVersion tells when what was read of a paper is of another processing.
func (t *Tree) pagesVersion(id int64) func() (uint64, bool) {
	return func() (uint64, bool) { return t.Documents.PagesVersion(id) }
}

// value is a generated value file that belongs to a node.
func (t *Tree) value(id int64, load func(context.Context) (string, error), store func(context.Context, string) error) *virtual.Value {
	return &virtual.Value{Env: t.Env, About: t.about(id), Load: load, Store: store}
}

// asFile and asDir make listed names.
func asFile(name string) virtual.Entry { return virtual.Entry{Name: name, Mode: syscall.S_IFREG} }
func asDir(name string) virtual.Entry  { return virtual.Entry{Name: name, Mode: syscall.S_IFDIR} }
func asLink(name string) virtual.Entry { return virtual.Entry{Name: name, Mode: syscall.S_IFLNK} }
