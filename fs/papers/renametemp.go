package papers

import (
	"context"
	"errors"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"

	"paperfs/cache/media"
	"paperfs/fs/caller"
	"paperfs/fs/errno"
	"paperfs/fs/papers/names"
	"paperfs/fs/papers/pending"
	"paperfs/fs/virtual"
)

var errPartial = errno.Refuse(syscall.EPERM, "rsync was interrupted: a partial file is not published; with --partial-dir the next rsync continues it")

// renameTarget is a directory into which a temp can be moved.
type renameTarget interface {
	base() *place
	// pdfPlace returns where a PDF with this name is sent. pdf is nil if the name is not
	// that of a PDF or, with keeps set, if the directory keeps the file as it is.
	pdfPlace(ctx context.Context, name string) (pdf *pending.Place, keeps bool, err error)
}

// renameTemp gives a temp another temporary name, or sends it if its new name is that of a
// PDF. If that is refused, the temp stays as it is, and its content goes to failed/ under
// its name.
func (p *place) renameTemp(ctx context.Context, t *temp, name string, newParent gofs.InodeEmbedder, newName string, flags uint32) syscall.Errno {
	dir, ok := newParent.(renameTarget)
	if !ok {
		return p.fail("rename", name, errno.Onto(virtual.Path(newParent.EmbeddedInode(), newName), errno.Refuse(syscall.EOPNOTSUPP, "a temporary file cannot be moved out of papers/: copy it")))
	}
	noReplace := flags&virtual.RenameNoReplace != 0
	to := dir.base()
	pdf, keeps, err := dir.pdfPlace(ctx, newName)
	target := virtual.Path(&to.Inode, newName)
	switch {
	case err != nil:
		return p.Tell.Tell("rename", target, 0, err)
	case keeps || to.staysLocal(ctx, newName):
		return p.moveTemp(ctx, t, name, to, newName, noReplace)
	case pdf == nil:
		return to.Refuse("rename", newName)
	case noReplace && pdf.Exists:
		return syscall.EEXIST
	case caller.Interrupted(caller.Thread(ctx)):
		return p.Tell.Tell("rename", target, 0, errPartial)
	}
	tell := func(err error) syscall.Errno {
		if err == nil {
			virtual.RememberPath(&to.Inode, newName)
		}
		if e, ok := errors.AsType[*media.Error](err); ok && e.Kind == media.Superseded {
			err = &media.Error{Kind: media.Newer, Detail: e.Detail} // the kernel would repeat the rename at ESTALE
		}
		return p.Tell.Tell("process", target, 0, err)
	}
	from := names.In(p.nodeID(), name)
	unname := func() { p.temps.drop(from, t) }
	if t.content.Held() {
		if is, err := t.content.PublishOnClose(pdf, unname); is || err != nil {
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
		had.content.TempNameRemoved(ctx)
	}
	return 0
}
