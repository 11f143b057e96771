package virtual

import "paperfs/fs/inode"

// All nodes of this package describe themselves.
var (
	_ inode.Describer = (*Dir)(nil)
	_ inode.Describer = (*Document)(nil)
	_ inode.Describer = (*Value)(nil)
	_ inode.Describer = (*Symlink)(nil)
)

func (d *Dir) Describe() inode.Description      { return d.describe(&d.Inode) }
func (d *Document) Describe() inode.Description { return d.describe(&d.Inode) }
func (v *Value) Describe() inode.Description    { return v.describe(&v.Inode) }
func (s *Symlink) Describe() inode.Description  { return s.describe(&s.Inode) }
