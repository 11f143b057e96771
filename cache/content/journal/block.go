package journal

import (
	"bytes"
	"cmp"
	"database/sql"
	"errors"
	"strconv"
	"strings"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/tree"
)

// BlockSize is the number of consecutive inode numbers in a block. A block is how the database
// stores inodes: one after the other, as fields in decimal or as plain text, each ended by a
// zero byte, which no name contains. A block fits a page of the database, so a change writes
// one page, while reading or writing a whole tree takes few rows.
const BlockSize = 16

// BlockOf returns the number of an inode's block.
func BlockOf(ino inode.Ino) int64 { return int64(ino / BlockSize) }

// Fields is a block under construction.
type Fields []byte

func (f *Fields) Number(n int64) { *f = append(strconv.AppendInt(*f, n, 10), 0) }

func (f *Fields) Text(s string) { *f = append(append(*f, s...), 0) }

func (f *Fields) flag(set bool) {
	if set {
		f.Number(1)
	} else {
		f.Number(0)
	}
}

// Inode appends n with its names; Tree.Mu must be held.
func (f *Fields) Inode(n *tree.Node) {
	f.Number(int64(n.Ino))
	f.Number(int64(n.Kind))
	f.flag(n.Local())
	f.flag(n.Intent || n.Queued())
	f.here(n)
	f.Number(max(n.ID, n.Pub.ID))
	f.Number(n.Pub.Size)
	f.Number(n.Pub.KB)
	*f = append(n.Pub.SHA256.AppendTo(*f), 0)
	*f = append(n.Pub.AppendAddress(*f), 0)
	f.Number(int64(n.Pub.ModTime))
	for _, t := range []inode.Instant{n.Atime, n.Mtime, n.Ctime} { // most are equal
		f.Number(int64(t - n.Pub.ModTime))
	}
	f.Number(int64(n.Mode))
	f.Number(n.UID)
	f.Number(n.GID)
	f.Text(cmp.Or(n.Lost, n.Target)) // only files are lost
	if n.Parent == nil {             // the root, or content that lost its name
		f.Number(0)
		return
	}
	f.Number(int64(1 + len(n.Also)))
	f.name(tree.Link{Dir: n.Parent, Name: n.Name})
	for _, l := range n.Also {
		f.name(l)
	}
}

// here appends the spools of n and the length of content that only this machine has. The next
// mount compares these with what it finds.
func (f *Fields) here(n *tree.Node) {
	switch {
	case n.Delivery != nil && n.Delivery.Spool != 0:
		f.spool(Spool{n.Delivery.Spool, n.Delivery.Size, n.Delivery.Kept, n.Draft})
	case n.Kind == inode.File && n.Local(), n.Intent:
		f.spool(Spool{Serial: n.Draft, Size: n.Size})
	case n.Draft != 0:
		f.spool(Spool{Draft: n.Draft})
	default:
		f.Number(0)
	}
}

func (f *Fields) name(l tree.Link) {
	f.Number(int64(l.Dir.Ino))
	f.Text(l.Name)
}

// Named is a name as stored in a block.
type Named struct {
	Parent inode.Ino
	Name   string
	Node   *tree.Node
}

// Spool describes content that only this machine has, as stored in a block.
type Spool struct {
	Serial uint64 // of queued content or scratch, 0 if there is none
	Size   int64  // of that, in bytes, -1 if there is none
	Kept   string // of that, as in spool.File
	Draft  uint64 // serial of what is being written, if it is another spool
}

func (f *Fields) spool(s Spool) {
	*f = append(strconv.AppendUint(*f, s.Serial, 10), ':')
	*f = strconv.AppendInt(*f, s.Size, 10)
	if s.Kept != "" {
		*f = append(append(*f, ':'), s.Kept...)
	}
	if s.Draft != s.Serial {
		*f = strconv.AppendUint(append(*f, '|'), s.Draft, 10)
	}
	*f = append(*f, 0)
}

// Reader reads the inodes of a block.
type Reader struct {
	Rest []byte
	Err  error
}

// ErrBlock reports a block that cannot be parsed.
var ErrBlock = errors.New("the inodes in the state of media/ are damaged")

func (b *Reader) field() []byte {
	field, rest, found := bytes.Cut(b.Rest, []byte{0})
	if !found {
		b.Err = ErrBlock
	}
	b.Rest = rest
	return field
}

func (b *Reader) Text() string { return string(b.field()) }

func (b *Reader) Number() int64 {
	n, err := strconv.ParseInt(string(b.field()), 10, 64)
	if err != nil {
		b.Err = ErrBlock
	}
	return n
}

func (b *Reader) spool() Spool {
	text, draft, drafted := strings.Cut(b.Text(), "|")
	serial, size, known := strings.Cut(text, ":")
	size, kept, _ := strings.Cut(size, ":")
	s := Spool{Size: -1, Kept: kept}
	var err, sizeErr, draftErr error
	s.Serial, err = strconv.ParseUint(serial, 10, 64)
	if known {
		s.Size, sizeErr = strconv.ParseInt(size, 10, 64)
	}
	if s.Draft = s.Serial; drafted {
		s.Draft, draftErr = strconv.ParseUint(draft, 10, 64)
	}
	if err != nil || sizeErr != nil || draftErr != nil {
		b.Err = ErrBlock
	}
	return s
}

// Inode reads the next inode and the spool recorded for it, and appends its names to names.
func (b *Reader) Inode(names *[]Named) (n *tree.Node, spool Spool) {
	n = tree.NewNode(inode.Ino(b.Number()), inode.FileKind(b.Number()))
	local, queued := b.Number() != 0, b.Number()
	switch {
	case local:
		n.On(tree.Hidden)
	case queued != 0:
		n.On(tree.Enqueued)
	}
	spool = b.spool()
	pub := tree.Version{ID: b.Number(), Size: b.Number(), KB: b.Number(), SHA256: inode.DigestOf(b.Text())}
	url := b.Text()
	pub.ModTime = b.instant()
	n.Atime, n.Mtime, n.Ctime = pub.ModTime+b.instant(), pub.ModTime+b.instant(), pub.ModTime+b.instant()
	n.Mode, n.UID, n.GID = uint16(b.Number()), b.Number(), b.Number()
	if target := b.Text(); target != "" {
		n.Own().Target = target
	}
	switch n.Kind {
	case inode.Directory:
		n.ID = pub.ID
	case inode.File:
		n.Pub = pub
		if pub.ID != 0 && !n.Queued() {
			n.Mtime = pub.ModTime
		}
	}
	for range b.Number() {
		if b.Err != nil {
			break
		}
		parent, name := inode.Ino(b.Number()), b.Text()
		*names = append(*names, Named{parent, name, n})
		n.Pub.URL = tree.AddressOf(url, n.Pub.ID, name)
	}
	return n, spool
}

func (b *Reader) instant() inode.Instant { return inode.Instant(b.Number()) }

// Load reads all inodes, without their names, and passes each to add. It returns the names, and
// the greatest number that may ever have been used.
func Load(db *sql.DB, add func(n *tree.Node, spool Spool)) (names []Named, last inode.Ino, err error) {
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
		b := Reader{Rest: content}
		for len(b.Rest) > 0 {
			n, spool := b.Inode(&names)
			if b.Err != nil {
				return nil, 0, b.Err
			}
			add(n, spool)
		}
	}
	if err := found.Err(); err != nil {
		return nil, 0, err
	}
	err = db.QueryRow("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'media_block'").Scan(&last)
	return names, last*BlockSize + BlockSize - 1, err
}
