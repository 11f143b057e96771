package media

import (
	content "paperfs/cache/content/tree"
	"paperfs/cache/media"
	"paperfs/fs/inode"
)

// All nodes of this package describe themselves.
var (
	_ inode.Describer = (*dirNode)(nil)
	_ inode.Describer = (*fileNode)(nil)
	_ inode.Describer = (*linkNode)(nil)
)

func (d *dirNode) Describe() inode.Description  { return d.tree.describe(d.ino) }
func (f *fileNode) Describe() inode.Description { return f.tree.describe(f.ino) }

func (l *linkNode) Describe() inode.Description { return l.tree.describe(l.ino) }

var kinds = map[media.FileKind]string{media.Directory: "directory", media.File: "file", media.Symlink: "symlink"}

var states = map[media.Where]inode.State{
	media.Published: inode.Published,
	media.Writing:   inode.Pending,
	media.Pending:   inode.Pending,
	media.Local:     inode.Local,
}

func (t *tree) describe(ino media.Ino) inode.Description {
	a := t.stat(ino)
	if a.PDF {
		return t.pdfs.Describe(a)
	}
	d := inode.Description{Path: content.MountPath(a.Path), Kind: kinds[a.Kind], State: states[a.Where], ID: a.ID, SHA256: a.SHA256.String(), Address: t.store.Address(ino)}
	if t.tell != nil && t.tell.Log != nil {
		if last, ok := t.tell.Log.Last(d.Path); ok {
			d.LastError = last.Message
		}
	}
	return d
}
