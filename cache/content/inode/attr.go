package inode

import "time"

// Ino is an inode number in the account's state. It stays the same through rename, overwrite
// and remount, and is never given to another file.
type Ino uint64

// Root is the number of media/ itself.
const Root Ino = 1

// FileKind is the type of an inode.
type FileKind uint8

// The kinds. The database stores their values.
const (
	Directory FileKind = iota + 1
	File
	Symlink
)

// Owner stands for the mount's owner in Attr.UID and Attr.GID.
const Owner = -1

// Where says where a node's content is.
type Where string

// The values of Where.
const (
	Published Where = "published" // at the service, as shown
	Writing   Where = "new"       // local content that the service lacks
	Pending   Where = "pending"   // closed and queued
	Local     Where = "local"     // scratch, never sent
)

// Attr has the attributes of an inode.
type Attr struct {
	Ino                 Ino
	Kind                FileKind
	Mode                uint32 // permission bits
	OwnMode             bool   // the mode was set locally
	UID, GID            int64  // Owner if never set
	Size                int64  // bytes
	SizeKnown           bool   // false: Size is estimated from the service's KB
	Atime, Mtime, Ctime time.Time
	Target              string // of a symbolic link
	Links               int    // number of names; of a local directory including "." and ".." entries

	PDF     bool // a paper's PDF, or one of which a paper will be made; its ID is the paper's
	Sidecar bool // local sidecar file of a database, such as its journal
	Where   Where
	ID      int64  // at the service, 0 if none
	SHA256  Digest // of the published content
	Path    string // below media/, or in papers/ from the mount's root with a leading slash; empty for media/ itself and for files without a name
	Was     string // last Path of a file that was removed locally, for errors on open handles
}

// Change says which attributes to set; nil fields stay unchanged.
type Change struct {
	Mode         *uint32
	UID, GID     *int64
	Atime, Mtime *time.Time
}

// New describes the creator of a file or directory, and its mode.
type New struct {
	Mode     uint32
	UID, GID int64  // Owner for the mount's owner
	Comm     string // name of the program, since some names are scratch only for certain programs
}
