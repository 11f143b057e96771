package media

func (n *node) attr() Attr {
	a := n.pathless()
	if a.Path = n.path(); n.parent == nil && n.kind == File {
		a.Path = n.lost // where it was, if others have removed it
	}
	return a
}

// pathless is attr without the path.
func (n *node) pathless() Attr {
	a := Attr{
		Ino: n.ino, Kind: n.kind, Mode: n.permissions(), OwnMode: n.mode&ownMode != 0, UID: n.uid, GID: n.gid,
		Atime: n.atime.Time(), Mtime: n.mtime.Time(), Ctime: n.ctime.Time(), Target: n.target,
		SizeKnown: true, ID: max(n.id, n.pub.id), SHA256: n.pub.sha256,
	}
	if n.parent != nil {
		a.Links = 1 + len(n.also)
		if n.kind == Directory && n.local() {
			a.Links += 1 + n.subdirs
		}
	}
	switch n.kind {
	case Symlink:
		a.Size = int64(len(n.target))
	case File:
		a.Size, a.SizeKnown = n.shownSize()
	}
	switch {
	case n.local(), n.state == removed && n.pub.id == 0, n.kind == Directory && !n.queued() && !n.made():
		a.Where = Local
	case n.queued():
		a.Where = Pending
	case n.kind == File && (n.dirty() || n.pub.id == 0):
		a.Where = Writing
	default:
		a.Where = Published
	}
	return a
}

// shownSize is a file's size, and whether it is exact. One that is known in
// KB only and can be fetched shows 1 until it was: the smallest size that
// makes programs read a file whole.
func (n *node) shownSize() (int64, bool) {
	switch {
	case n.written || n.local() || n.pub.id == 0 && !n.pub.gone():
		return n.size, true
	case n.blank:
		return 0, true
	case n.pub.size >= 0:
		return n.pub.size, true
	case n.pub.url.known():
		return 1, false
	}
	return max(n.pub.kb, 0) * 1024, false
}
