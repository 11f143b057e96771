package papers

import (
	"context"
	"errors"
	"os"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"

	"paperfs/fs/caller"
	"paperfs/fs/errno"
	"paperfs/fs/papers/names"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

var errPart = errno.Refuse(syscall.EPERM, "rsync was interrupted: a partial file is not published; with --partial-dir the next rsync continues it")

// pdfPlace is the one of a name in a category, nil where that is none.
func (c *category) pdfPlace(ctx context.Context, name string) (*pdfPlace, error) {
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
	to.there = b.there(s)
	return to, nil
}

// pdfPlace is source.pdf, by that name or by another.
func (p *paperDir) pdfPlace(_ context.Context, name string) (*pdfPlace, error) {
	to := p.sourcePlace(p.node, virtual.Path(&p.Inode, name), virtual.Path(&p.Inode, names.Source))
	switch {
	case names.IsOther(name):
		if err := p.others.check(p.node, name); err != nil {
			return nil, err
		}
		to.other, to.there = name, p.others.has(p.node, name)
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
	var pdf *pdfPlace
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
	case noReplace && pdf.there:
		return syscall.EEXIST
	case caller.Interrupted(threadOf(ctx)):
		return p.Tell.Tell("rename", target, 0, errPart)
	}
	tell := func(err error) syscall.Errno { return p.Tell.Tell("process", target, 0, err) }
	from := names.In(p.nodeID(), name)
	if t.drafts.held(t.content) {
		if is, err := p.pend(t, from, pdf); is || err != nil {
			return tell(err)
		}
	}
	return tell(virtual.Change(ctx, func(ctx context.Context) error { return p.publish(ctx, t, from, pdf) }, func(err error) { tell(err) }))
}

// pend makes what somebody has open for writing the PDF that his close sends. It is not
// where that close has just come.
func (p *place) pend(t *temp, from names.Entry, to *pdfPlace) (is bool, err error) {
	if to.other != "" {
		if err := p.others.begin(to.paper, to.other); err != nil {
			return false, err
		}
		defer func() {
			if !is {
				p.others.end(to.paper, to.other, false)
			}
		}()
	}
	t.content.draft.Again()
	if err := t.content.draft.For(to.paper, to.path); err != nil {
		return false, err
	}
	is, ends := t.drafts.becomes(t.content, to, to.paper, true)
	if !is {
		return false, nil
	}
	if p.temps.drop(from, t); ends {
		t.content.end(context.Background())
	}
	return true, nil
}

// queue is the rest of publish where closes queue.
func (p *place) queue(t *temp, from names.Entry, to *pdfPlace) error {
	draft := t.content.draft
	if err := draft.Queue(t.content.queuing(to, to.paper)); errors.Is(err, os.ErrClosed) {
		return errUnlinked
	} else if err != nil {
		return err
	}
	p.temps.drop(from, t)
	is, ends := t.drafts.becomes(t.content, to, to.paper, false)
	switch {
	case ends:
		t.content.end(context.Background())
	case !is:
		return errUnlinked
	default:
		t.content.publish()
	}
	return nil
}

// errUnlinked is for a rename that goes on behind its interrupted caller.
var errUnlinked = errno.Refuse(syscall.ENOENT, "this file was removed before it was queued under its new name")

func (p *place) moveTemp(ctx context.Context, t *temp, name string, to *place, newName string, noReplace bool) syscall.Errno {
	from, at := names.In(p.nodeID(), name), names.In(to.nodeID(), newName)
	switch {
	case from == at:
		return 0
	case noReplace && p.temps.get(at) != nil:
		return syscall.EEXIST
	}
	if err := t.content.draft.For(to.nodeID(), "/"+virtual.Path(&to.Inode, newName)); err != nil {
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

// publish sends what was written, and t is the PDF where that succeeds, unless it was written to
// meanwhile: the rename goes on behind its interrupted caller. An empty one makes nothing.
func (p *place) publish(ctx context.Context, t *temp, from names.Entry, to *pdfPlace) (err error) {
	draft := t.content.draft
	if to.other != "" {
		if err := p.others.begin(to.paper, to.other); err != nil {
			return err
		}
		defer func() { p.others.end(to.paper, to.other, err == nil) }()
	}
	draft.Again()
	if err := draft.For(to.paper, to.path); err != nil {
		return err
	}
	if p.Media.WriteBack() {
		return p.queue(t, from, to)
	}
	sum, paper := "", to.paper
	err = draft.Send(func(pdf remote.Content) (_ string, err error) {
		sum, err = to.send(ctx, paper, pdf, t.content.at(), making{made: func(made int64) error {
			paper = made
			return draft.For(made, to.path)
		}})
		return sum, err
	})
	if err == nil && sum != "" {
		p.shows(paper)
	}
	switch {
	case err != nil:
		return err
	case sum == "" && draft.Size() > 0:
		return errno.Refuse(syscall.ENOENT, "another rename has sent this file")
	case sum != "" && !draft.Clean():
		return nil
	}
	p.temps.drop(from, t)
	if _, ends := t.drafts.becomes(t.content, to, paper, false); ends {
		t.content.end(ctx)
	}
	return nil
}
