package plan

import (
	"paperfs/cache/content/inode"
	"paperfs/cache/content/localname"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
	"paperfs/remote/rules"
)

// Rename is a requested rename.
type Rename struct {
	Name      string // new name
	NoReplace bool
	PDF       bool   // the new name is that of a paper's PDF, and not the service's
	Comm      string // name of the program

	Src, Dir *tree.Node // the node to move, and its new directory
	From     tree.Link  // the old name
	Local    bool       // it stays or becomes local; set by Way
	Hides    bool       // it becomes local because its new directory is scratch; set by Way
}

// Rules are what a mount allows and the service offers.
type Rules struct {
	Root        *tree.Node
	Names       localname.Names // which names stay local
	AllowDelete bool
	WriteBack   bool
	NoTree      bool // the service does not offer a media tree
	Moves       bool // the service offers moves, as far as is known
}

// Way is how a rename is executed.
type Way int

const (
	Nothing     Way = iota
	InTree          // changes only the tree in memory
	Queue           // scratch file becomes visible: queued
	Send            // scratch file becomes visible: upload
	PublishTree     // scratch directory becomes visible: CreateDirectory, contents queued
	Move            // published file: MoveFile
	MoveDir         // published directory: MoveDirectory
	Unpublish       // published file becomes scratch: deletion
)

// Way makes all checks that need no request, and returns the way.
func (m *Rename) Way(r Rules) (Way, error) {
	dst := m.Dir.Children[m.Name]
	switch {
	case dst == m.Src:
		return Nothing, nil
	case m.PDF && m.Src.Kind != inode.File:
		return Nothing, LocalOnly(m.Name)
	}
	if err := m.checkTarget(r, dst); err != nil {
		return Nothing, err
	}
	switch m.Src.Kind {
	case inode.Directory:
		return m.dirWay(r, dst)
	case inode.File:
		return m.fileWay(r)
	}
	if !m.Local {
		return Nothing, LocalOnly(m.Name)
	}
	return InTree, nil
}

// Queues reports whether content that becomes visible is queued.
func (m *Rename) Queues(r Rules) bool { return r.WriteBack || !m.Dir.Made() }

// checkTarget checks the new name and its present file.
func (m *Rename) checkTarget(r Rules, dst *tree.Node) error {
	replacesPublished := dst != nil && dst.AtService()
	m.Local, m.Hides = (m.Dir.Local() || r.Names.Local(m.Name, m.Comm, m.Dir.HasFile)) && !replacesPublished && !m.PDF, m.Dir.Local()
	switch {
	case m.Dir.Parent == nil && m.Dir != r.Root:
		return refusal.NoSuchFile(m.Name)
	case dst != nil && m.NoReplace:
		return refusal.NameTaken(m.Name)
	case len(m.Name) > tree.LongestName:
		return &refusal.Error{Kind: refusal.TooLong, Name: m.Name, Detail: "the name is longer than 255 bytes"}
	case dst == nil:
	case m.Src.Kind == inode.Directory && dst.Kind != inode.Directory:
		return &refusal.Error{Kind: refusal.NotDirectory, Name: m.Name, Detail: "not a directory"}
	case m.Src.Kind != inode.Directory && dst.Kind == inode.Directory:
		return &refusal.Error{Kind: refusal.IsDirectory, Name: m.Name, Detail: "a directory"}
	case len(dst.Children) > 0:
		return &refusal.Error{Kind: refusal.NotEmpty, Name: m.Name, Detail: "the directory is not empty"}
	}
	if m.Local || m.PDF {
		return nil
	}
	if err := tree.CheckName(m.Name); err != nil {
		return err
	}
	if !r.Moves && !m.Src.Local() && m.Dir == m.From.Dir && rules.Same(m.Name, m.From.Name) {
		return refusal.NotSupported(m.Name, "this service cannot rename, and it takes both names for one: a copy under the new name would replace the file itself")
	}
	for d := m.Dir; d.Parent != nil; d = d.Parent { // it would have to be made first, and has the same lock
		if d.Parent == m.From.Dir && d != m.Src && rules.Same(d.Name, m.From.Name) {
			return refusal.CaseClash(d.Name, m.From.Name)
		}
	}
	return m.Dir.Clashes(m.Name, false, m.Src)
}

func (m *Rename) dirWay(r Rules, dst *tree.Node) (Way, error) {
	switch {
	case m.Dir.Within(m.Src):
		return Nothing, &refusal.Error{Kind: refusal.Invalid, Name: m.Name, Detail: "a directory cannot be moved into itself"}
	case m.Src.ID != 0 && m.Local:
		return Nothing, refusal.NotSupported(m.Src.Name, "a directory on the service cannot get a temporary name")
	case m.Src.ID != 0 && r.Moves:
		return MoveDir, nil
	case m.Src.ID != 0:
		return Nothing, refusal.NotSupported(m.Src.Name, "this service cannot rename or move a directory: make the new one, copy the files into it, and remove the old ones")
	case dst != nil && dst.ID != 0:
		return Nothing, refusal.NotSupported(m.Name, "a directory on the service cannot be replaced")
	case m.Local, !m.Src.Local():
		return InTree, nil
	}
	_, err := Visible(r.Names, m.Src)
	return PublishTree, err
}

func (m *Rename) fileWay(r Rules) (Way, error) {
	switch {
	case m.Src.Local() && m.Local, m.Src.Pub.ID == 0 && !m.Src.Local():
		return InTree, nil
	case len(m.Src.Also) > 0:
		return Nothing, severalNames(m.Src.Name)
	case m.Src.Local() && m.Queues(r):
		return Queue, nil
	case m.Src.Local():
		return Send, nil
	case r.Moves && !m.Local:
		return Move, nil
	case m.Local && r.AllowDelete && !r.NoTree:
		return Unpublish, nil
	}
	return Nothing, m.refusedMove(r)
}

// refusedMove refuses the rename of a published file that the service cannot move. Where a copy and a removal do the same, it
// is one to another file system: mv, rsync and gio then copy. What has the new name they would first remove, and lose if the copy fails.
func (m *Rename) refusedMove(r Rules) error {
	switch {
	case r.NoTree:
		return refusal.NotSupported(m.Src.Name, "this service can neither rename nor delete: copy the file instead")
	case m.Local:
		return refusal.NotSupported(m.Src.Name, "a temporary name would take the file from the service, and nothing is deleted there unless the mount was started with --allow-delete: copy the file instead")
	case !r.AllowDelete:
		return refusal.NotSupported(m.Src.Name, "this service cannot rename, and a copy in place of a rename would delete the old file there, which needs a mount with --allow-delete: copy the file instead")
	case m.Dir.Children[m.Name] != nil:
		return refusal.NotSupported(m.Name, "this service cannot rename, and the name is taken: copy the file over the other one with cp, which keeps its address, and then remove this one")
	case m.Queues(r):
		return refusal.NotSupported(m.Src.Name, "this service cannot rename, and a copy would still be in the queue when the old file is deleted there: copy the file, run `paperfs wait`, and then remove the old one")
	}
	return refusal.CrossDevice(m.Src.Name)
}
