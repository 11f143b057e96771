package media

import (
	"path"

	"paperfs/cache/media"
	"paperfs/fs/describe"
)

// All nodes of this package describe themselves.
var (
	_ describe.Describer = (*dirNode)(nil)
	_ describe.Describer = (*fileNode)(nil)
	_ describe.Describer = (*specialNode)(nil)
)

func (d *dirNode) Describe() describe.Description  { return d.tree.describe(d.ino) }
func (f *fileNode) Describe() describe.Description { return f.tree.describe(f.ino) }

func (s *specialNode) Describe() describe.Description { return s.tree.describe(s.ino) }

var kinds = map[media.FileKind]string{media.Directory: "directory", media.File: "file", media.Symlink: "symlink", media.Fifo: "fifo", media.Socket: "socket"}

var states = map[media.Where]describe.State{
	media.Published: describe.Published,
	media.Writing:   describe.Pending,
	media.Pending:   describe.Pending,
	media.Local:     describe.Local,
}

func (t *tree) describe(ino media.Ino) describe.Description {
	a := t.stat(ino)
	d := describe.Description{Path: path.Join(mountName, a.Path), Kind: kinds[a.Kind], State: states[a.Where], ID: a.ID, SHA256: a.SHA256.String(), Address: t.store.Address(ino)}
	if t.tell != nil && t.tell.Log != nil {
		if last, ok := t.tell.Log.Last(d.Path); ok {
			d.LastError = last.Message
		}
	}
	return d
}
