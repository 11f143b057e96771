package virtual

import "paperfs/fs/describe"

// All nodes of this package describe themselves.
var (
	_ describe.Describer = (*Dir)(nil)
	_ describe.Describer = (*Document)(nil)
	_ describe.Describer = (*Value)(nil)
	_ describe.Describer = (*Symlink)(nil)
)

func (d *Dir) Describe() describe.Description      { return d.describe(&d.Inode) }
func (d *Document) Describe() describe.Description { return d.describe(&d.Inode) }
func (v *Value) Describe() describe.Description    { return v.describe(&v.Inode) }
func (s *Symlink) Describe() describe.Description  { return s.describe(&s.Inode) }
