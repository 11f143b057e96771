package media

import (
	"bytes"
	"database/sql"
	"errors"
	"strconv"

	"paperfs/cache/media/inode"
)

// A block is the inodes of blockSize numbers as the database keeps them, one
// after the other: fields in decimal or as they are, each ended by a zero byte,
// which no name has. One fits a page of the database, so that a change costs
// one page, while a tree that comes or is read whole costs few rows.
const blockSize = 16

// beingSent is what a queued inode's flag was in earlier versions while it was being
// sent: the note that the outcome of that is not known, should the process end.
const beingSent = 2

// blockOf is the number of the block that an inode is in.
func blockOf(ino Ino) int64 { return int64(ino / blockSize) }

// fields are those of a block that is being made.
type fields []byte

func (f *fields) number(n int64) { *f = append(strconv.AppendInt(*f, n, 10), 0) }

func (f *fields) text(s string) { *f = append(append(*f, s...), 0) }

func (f *fields) flag(set bool) {
	if set {
		f.number(1)
	} else {
		f.number(0)
	}
}

// inode adds n with its names; Store.mu must be held.
func (f *fields) inode(n *node) {
	f.number(int64(n.ino))
	f.number(int64(n.kind))
	f.flag(n.local())
	f.flag(n.intent || n.queued() && n.state != stuck)
	if n.delivery != nil {
		f.number(int64(n.delivery.spool))
	} else {
		f.number(0)
	}
	f.number(max(n.id, n.pub.id))
	f.number(n.pub.size)
	f.number(n.pub.kb)
	*f = append(n.pub.sha256.AppendTo(*f), 0)
	*f = append(n.pub.appendAddress(*f), 0)
	f.number(int64(n.pub.modTime))
	for _, t := range []inode.Instant{n.atime, n.mtime, n.ctime} { // most are the same
		f.number(int64(t - n.pub.modTime))
	}
	f.number(int64(n.mode))
	f.number(n.uid)
	f.number(n.gid)
	f.text(n.target)
	if n.parent == nil { // the root
		f.number(0)
		return
	}
	f.number(int64(1 + len(n.also)))
	f.name(link{n.parent, n.name})
	for _, l := range n.also {
		f.name(l)
	}
}

func (f *fields) name(l link) {
	f.number(int64(l.dir.ino))
	f.text(l.name)
}

// named is a name as it is kept.
type named struct {
	parent Ino
	name   string
	node   *node
}

// blockReader reads the inodes of a block.
type blockReader struct {
	rest []byte
	err  error
}

var errBlock = errors.New("the inodes in the state of media/ are damaged")

func (b *blockReader) field() []byte {
	field, rest, found := bytes.Cut(b.rest, []byte{0})
	if !found {
		b.err = errBlock
	}
	b.rest = rest
	return field
}

func (b *blockReader) text() string { return string(b.field()) }

func (b *blockReader) number() int64 {
	n, err := strconv.ParseInt(string(b.field()), 10, 64)
	if err != nil {
		b.err = errBlock
	}
	return n
}

// inode reads the next inode, with the serial of its queued spool, 0 for the
// newest. Its names are added to names. cut tells that an earlier version was sending
// it when its run ended.
func (b *blockReader) inode(names *[]named) (n *node, spool uint64, cut bool) {
	n = newNode(Ino(b.number()), FileKind(b.number()))
	local, queued := b.number() != 0, b.number()
	switch {
	case local:
		n.on(hidden)
	case queued != 0:
		n.on(enqueued)
	}
	spool = uint64(b.number())
	pub := version{id: b.number(), size: b.number(), kb: b.number(), sha256: inode.DigestOf(b.text())}
	url := b.text()
	pub.modTime = b.instant()
	n.atime, n.mtime, n.ctime = pub.modTime+b.instant(), pub.modTime+b.instant(), pub.modTime+b.instant()
	n.mode, n.uid, n.gid = uint16(b.number()), b.number(), b.number()
	if target := b.text(); target != "" {
		n.own().target = target
	}
	switch n.kind {
	case Directory:
		n.id = pub.id
	case File:
		n.pub = pub
		if pub.id != 0 && !n.queued() {
			n.mtime = pub.modTime
		}
	}
	for range b.number() {
		if b.err != nil {
			break
		}
		parent, name := Ino(b.number()), b.text()
		*names = append(*names, named{parent, name, n})
		n.pub.url = addressOf(url, n.pub.id, name)
	}
	return n, spool, queued == beingSent
}

func (b *blockReader) instant() inode.Instant { return inode.Instant(b.number()) }

// load reads all inodes, without their names, gives each to add as blockReader
// tells it, and returns the names, and the greatest number that may ever have been
// given.
func (t *table) load(add func(n *node, spool uint64, cut bool)) (names []named, last Ino, err error) {
	return loadBlocks(t.state.DB(), add)
}

// loadBlocks is table.load of any database.
func loadBlocks(db *sql.DB, add func(n *node, spool uint64, cut bool)) (names []named, last Ino, err error) {
	found, err := db.Query("SELECT inodes FROM media_block")
	if err != nil {
		return nil, 0, err
	}
	defer found.Close()
	for found.Next() {
		var content sql.RawBytes
		if err := found.Scan(&content); err != nil {
			return nil, 0, err
		}
		b := blockReader{rest: content}
		for len(b.rest) > 0 {
			n, spool, cut := b.inode(&names)
			if b.err != nil {
				return nil, 0, b.err
			}
			add(n, spool, cut)
		}
	}
	if err := found.Err(); err != nil {
		return nil, 0, err
	}
	err = db.QueryRow("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'media_block'").Scan(&last)
	return names, last*blockSize + blockSize - 1, err
}
