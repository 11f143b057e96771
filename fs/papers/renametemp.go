package papers

import (
	"context"
	"syscall"
	"time"

	gofs "github.com/hanwen/go-fuse/v2/fs"

	"paperfs/fs/caller"
	"paperfs/fs/errno"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

var errPart = errno.Refuse(syscall.EPERM, "rsync was interrupted, and a part of a PDF is not published; with --partial-dir rsync goes on from it later")

// pdfPlace is the name of a PDF that is sent where a file is given it.
type pdfPlace struct {
	path  string // from the mount's root, as drafts have it
	there bool
	send  func(ctx context.Context, pdf remote.Content, written time.Time, made func(paper int64) error) (sha256 string, err error)
}

// pdfPlace is the one of a name in a category, nil where that is none.
func (c *category) pdfPlace(ctx context.Context, name string, isNew bool) (*pdfPlace, error) {
	s, err := c.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	paper, ok := paperOf(name)
	if _, listed := find(s, c.nodeID(), name); !ok || listed || c.hidden(name) != nil {
		return nil, nil
	}
	b := beside{c, name}
	if b.paperIn(s) == 0 {
		if _, _, err := c.checkNew(ctx, paper); err != nil {
			return nil, err
		}
	}
	return &pdfPlace{b.path(), b.there(s), func(ctx context.Context, pdf remote.Content, written time.Time, made func(int64) error) (string, error) {
		return b.process(ctx, 0, isNew, pdf, written, made)
	}}, nil
}

// pdfPlace is source.pdf, by that name or by another.
func (p *paperDir) pdfPlace(_ context.Context, name string) (*pdfPlace, error) {
	there := !p.removed.has(p.node)
	switch {
	case isOther(name):
		if err := p.others.check(p.node, name); err != nil {
			return nil, err
		}
		there = p.others.has(p.node, name)
	case name != sourceName:
		return nil, nil
	}
	return &pdfPlace{"/" + virtual.Path(&p.Inode, sourceName), there, func(ctx context.Context, pdf remote.Content, written time.Time, made func(int64) error) (sum string, err error) {
		if isOther(name) {
			if err := p.others.begin(p.node, name); err != nil {
				return "", err
			}
			defer func() { p.others.end(p.node, name, err == nil) }()
		}
		if err := made(p.node); err != nil {
			return "", err
		}
		sent, err := p.Library.Process(ctx, p.node, pdf, written)
		if err == nil {
			p.shows(p.node)
		}
		return sent.SHA256, err
	}}, nil
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
		pdf, err = dir.pdfPlace(ctx, newName, noReplace)
	case *paperDir:
		to = &dir.place
		pdf, err = dir.pdfPlace(ctx, newName)
	case *tempDir:
		to, keeps = &dir.place, dir.keeps(ctx, newName)
	default:
		return p.fail("rename", name, errno.Refuse(syscall.EOPNOTSUPP, "a file with a temporary name in papers/ becomes a PDF there: copy it to put it elsewhere"))
	}
	target := virtual.Path(&to.Inode, newName)
	switch {
	case err != nil:
		return p.Tell.Tell("rename", target, 0, err)
	case keeps || to.staysHere(ctx, newName):
		return p.moveTemp(t, name, to, newName, noReplace)
	case pdf == nil:
		return to.Refuse("rename", newName)
	case noReplace && pdf.there:
		return syscall.EEXIST
	case caller.Interrupted(threadOf(ctx)):
		return p.Tell.Tell("rename", target, 0, errPart)
	}
	tell := func(err error) syscall.Errno { return p.Tell.Tell("process", target, 0, err) }
	return tell(virtual.Change(ctx, func(ctx context.Context) error {
		ended, err := t.send(ctx, pdf)
		if ended {
			p.temps.drop(entry{p.nodeID(), name}, t)
		}
		return err
	}, func(err error) { tell(err) }))
}

func (p *place) moveTemp(t *temp, name string, to *place, newName string, noReplace bool) syscall.Errno {
	from, at := entry{p.nodeID(), name}, entry{to.nodeID(), newName}
	switch {
	case from == at:
		return 0
	case noReplace && p.temps.get(at) != nil:
		return syscall.EEXIST
	}
	if err := t.draft.For(to.nodeID(), "/"+virtual.Path(&to.Inode, newName)); err != nil {
		return p.fail("rename", name, err)
	}
	p.temps.put(from, nil)
	if had := p.temps.put(at, t); had != nil {
		had.unnamed()
	}
	return 0
}

// drop takes the name from t, if it has it still.
func (ts *temps) drop(e entry, t *temp) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.at[e] == t {
		delete(ts.at, e)
		ts.changed(e.dir)
	}
}

// send sends what was written, and ends t where that succeeds, unless it was written to
// meanwhile: the rename goes on behind its interrupted caller. An empty one makes nothing.
func (t *temp) send(ctx context.Context, to *pdfPlace) (ended bool, err error) {
	t.mu.Lock()
	mtime := t.mtime
	t.mu.Unlock()
	t.draft.Again()
	if err := t.draft.For(0, to.path); err != nil {
		return false, err
	}
	sum := ""
	err = t.draft.Send(func(pdf remote.Content) (_ string, err error) {
		sum, err = to.send(ctx, pdf, mtime, func(paper int64) error { return t.draft.For(paper, to.path) })
		return sum, err
	})
	if err != nil {
		return false, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case sum == "" && t.draft.Size() > 0:
		return false, errno.Refuse(syscall.ENOENT, "another rename has sent this file")
	case sum == "":
		t.nameless = true
		t.endIfUnused()
		return true, nil
	case !t.draft.Clean():
		return false, nil
	}
	t.sum = sum
	t.draft.Close()
	return true, nil
}
