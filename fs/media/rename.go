package media

import (
	"context"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"golang.org/x/sys/unix"

	"paperfs/cache/media"
	"paperfs/fs/errno"
	"paperfs/fs/virtual"
)

// Target is a directory that files can be renamed to.
type Target interface {
	// Target returns where the store has, or would have, an entry of the directory that program creates, and what is known of the
	// PDF that this would be.
	Target(ctx context.Context, name, program string, noReplace bool) (dir media.Ino, as string, pdf *media.PDF, err error)
}

// Target implements Target.
func (d Dir) Target(_ context.Context, name, _ string, _ bool) (media.Ino, string, *media.PDF, error) {
	return d.ino, name, nil, nil
}

func (d Dir) Rename(ctx context.Context, name string, newParent gofs.InodeEmbedder, newName string, flags uint32) syscall.Errno {
	if flags&^unix.RENAME_NOREPLACE != 0 {
		return d.failed("rename", name, errFlags)
	}
	noReplace, in := flags&unix.RENAME_NOREPLACE != 0, newParent.EmbeddedInode()
	path := virtual.Path(in, newName)
	to, ok := newParent.(Target)
	if !ok {
		return d.failed("rename", name, errno.Onto(path, errOutside))
	}
	program := comm(ctx, newName)
	dir, as, pdf, err := to.Target(ctx, newName, program, noReplace)
	if papers := inPapers(d.child(name)); !papers && err != nil || err == nil && papers != inPapers(d.tree.stat(dir)) {
		err = errOutside
	}
	if err != nil {
		return d.failed("rename", name, errno.Onto(path, err))
	}
	if interrupted(ctx) && (pdf != nil || !d.tree.store.Scratch(dir, as, program)) {
		return d.failed("rename", name, errno.Onto(path, errPartial))
	}
	drops := func() {
		d.dropCached(name)
		drop(in, []string{newName})
	}
	if pdf != nil {
		src := d.in.GetChild(name)
		return d.tree.change(ctx, "process", media.Attr{Path: "/" + path, ID: pdf.Paper}, func(ctx context.Context) error {
			err := d.tree.store.RenamePDF(ctx, d.ino, name, dir, as, *pdf, func() bool { return d.tree.held(src) })
			if media.Is(err, media.Superseded) {
				err = &media.Error{Kind: media.Newer, Detail: err.Error()} // the kernel would repeat the rename at ESTALE
			}
			return err
		}, drops)
	}
	return d.tree.change(ctx, "rename", d.child(name), func(ctx context.Context) error {
		return errno.Onto(path, d.tree.store.Rename(ctx, d.ino, name, dir, as, noReplace, program))
	}, drops)
}

// RetryFailed publishes an entry of failed/ under a name in this directory.
func (d *dirNode) RetryFailed(ctx context.Context, entry, name string, noReplace bool) error {
	return d.tree.store.RetryFailed(ctx, entry, d.ino, name, noReplace)
}
