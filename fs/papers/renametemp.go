package papers

import (
	"context"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"

	"paperfs/fs/caller"
	"paperfs/fs/errno"
	"paperfs/fs/papers/names"
	"paperfs/fs/papers/pending"
	"paperfs/fs/virtual"
)

var errPart = errno.Refuse(syscall.EPERM, "rsync was interrupted: a partial file is not published; with --partial-dir the next rsync continues it")

// pdfPlace is the one of a name in a category, nil where that is none.
func (c *category) pdfPlace(ctx context.Context, name string) (*pending.Place, error) {
	s, err := c.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	paper, ok := names.PaperOf(name)
	if _, listed := names.Find(s, c.nodeID(), name); !ok || listed || c.hidden(name) != nil {
		return nil, nil
	}
	b := c.beside(s, name)
	if b.paperIn(s) == 0 {
		if _, _, err := c.checkNew(ctx, paper); err != nil {
			return nil, err
		}
	}
	to := b.place()
	to.There = b.there(s)
	return to, nil
}

// pdfPlace is source.pdf, by that name or by another.
func (p *paperDir) pdfPlace(_ context.Context, name string) (*pending.Place, error) {
	to := p.sourcePlace(p.node, virtual.Path(&p.Inode, name), virtual.Path(&p.Inode, names.Source))
	switch {
	case names.IsOther(name):
		if err := p.pending.Others.Check(p.node, name); err != nil {
			return nil, err
		}
		to.Other, to.There = name, p.pending.Others.Has(p.node, name)
	case name != names.Source:
		return nil, nil
	}
	return to, nil
}

// renameTemp gives a temp another temporary name, or sends it to where it gets the
// name of a PDF. Where that is refused it stays as it is, and its content goes to
// failed/ with its name.
func (p *place) renameTemp(ctx context.Context, t *temp, name string, newParent gofs.InodeEmbedder, newName string, flags uint32) syscall.Errno {
	var to *place
	var pdf *pending.Place
	var err error
	keeps, noReplace := false, flags&virtual.RenameNoReplace != 0
	switch dir := newParent.(type) {
	case *category:
		to = &dir.place
		pdf, err = dir.pdfPlace(ctx, newName)
	case *paperDir:
		to = &dir.place
		pdf, err = dir.pdfPlace(ctx, newName)
	case *tempDir:
		to, keeps = &dir.place, dir.keeps(ctx, newName)
	default:
		return p.fail("rename", name, errno.Refuse(syscall.EOPNOTSUPP, "a temporary file cannot be moved out of papers/: copy it"))
	}
	target := virtual.Path(&to.Inode, newName)
	switch {
	case err != nil:
		return p.Tell.Tell("rename", target, 0, err)
	case keeps || to.staysHere(ctx, newName):
		return p.moveTemp(ctx, t, name, to, newName, noReplace)
	case pdf == nil:
		return to.Refuse("rename", newName)
	case noReplace && pdf.There:
		return syscall.EEXIST
	case caller.Interrupted(caller.Thread(ctx)):
		return p.Tell.Tell("rename", target, 0, errPart)
	}
	tell := func(err error) syscall.Errno { return p.Tell.Tell("process", target, 0, err) }
	from := names.In(p.nodeID(), name)
	unname := func() { p.temps.drop(from, t) }
	if t.content.Held() {
		if is, err := t.content.Pend(pdf, unname); is || err != nil {
			return tell(err)
		}
	}
	return tell(virtual.Change(ctx, func(ctx context.Context) error { return t.content.SendTo(ctx, pdf, unname) }, func(err error) { tell(err) }))
}

// moveTemp gives a temp another temporary name.
func (p *place) moveTemp(ctx context.Context, t *temp, name string, to *place, newName string, noReplace bool) syscall.Errno {
	from, at := names.In(p.nodeID(), name), names.In(to.nodeID(), newName)
	switch {
	case from == at:
		return 0
	case noReplace && p.temps.get(at) != nil:
		return syscall.EEXIST
	}
	if err := t.content.MoveTo(to.nodeID(), "/"+virtual.Path(&to.Inode, newName)); err != nil {
		return p.fail("rename", name, err)
	}
	p.temps.put(from, nil)
	if had := p.temps.put(at, t); had != nil {
		had.unnamed(ctx)
	}
	return 0
}

// drop takes the name from t, if it has it still.
func (ts *temps) drop(e names.Entry, t *temp) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.at[e] == t {
		delete(ts.at, e)
		ts.changed(e.Dir)
	}
}
