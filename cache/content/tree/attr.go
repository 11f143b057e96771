package tree

import (
	"syscall"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/localname"
)

// Attr returns everything known about n; Tree.Mu must be held.
func (n *Node) Attr() inode.Attr {
	a := n.Pathless()
	a.Was = n.Was
	if a.Path = n.Path(); n.Parent == nil && n.Kind == inode.File {
		a.Path = n.Lost // its old path, unless a local program removed it
	}
	return a
}

// Pathless is Attr without the path.
func (n *Node) Pathless() inode.Attr {
	a := inode.Attr{
		Ino: n.Ino, Kind: n.Kind, Mode: n.Permissions(), OwnMode: n.Mode&OwnMode != 0, UID: n.UID, GID: n.GID,
		Atime: n.Atime.Time(), Mtime: n.Mtime.Time(), Ctime: n.Ctime.Time(), Target: n.Target,
		SizeKnown: true, ID: max(n.ID, n.Pub.ID), SHA256: n.Pub.SHA256, PDF: n.IsPDF(),
	}
	if n.PDF != nil {
		a.ID = n.PDF.Paper
	}
	if n.Parent != nil {
		a.Links = 1 + len(n.Also)
		if n.Kind == inode.Directory && n.Local() {
			a.Links += 1 + n.subdirs
		}
	}
	switch n.Kind {
	case inode.Symlink:
		a.Size = int64(len(n.Target))
	case inode.File:
		a.Size, a.SizeKnown = n.ShownSize()
	}
	a.Sidecar = n.Kind == inode.File && n.Local() && localname.IsSidecar(n.Name)
	switch {
	case n.Local(), n.state == Orphan && n.Lost == "" && n.Pub.ID == 0, n.Kind == inode.Directory && !n.Queued() && !n.Made():
		a.Where = inode.Local
	case n.Queued():
		a.Where = inode.Pending
	case n.Kind == inode.File && (n.Holds() || n.Pub.ID == 0 && n.state != Orphan && a.ID == 0):
		a.Where = inode.Writing
	default:
		a.Where = inode.Published
	}
	return a
}

// ShownSize returns a file's size, and whether it is exact. A size known only in KB is shown as
// 1 until the content is fetched, if it can be: that is the smallest size for which programs
// read the whole file.
func (n *Node) ShownSize() (int64, bool) {
	switch {
	case n.Written || n.Local() || n.Pub.ID == 0:
		return n.Size, true
	case n.Blank:
		return 0, true
	case n.Pub.Size >= 0:
		return n.Pub.Size, true
	case n.Pub.URL.Known():
		return 1, false
	}
	return max(n.Pub.KB, 0) * 1024, false
}

// Privileges returns those mode bits that let the file run as somebody else: set-user-ID, and
// set-group-ID if the group may execute (otherwise that bit means something else). Tree.Mu
// must be held.
func (n *Node) Privileges() uint16 {
	bits := n.Mode & syscall.S_ISUID
	if n.Mode&syscall.S_IXGRP != 0 {
		bits |= n.Mode & syscall.S_ISGID
	}
	return bits
}
