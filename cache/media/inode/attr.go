package inode

import "time"

// Ino is the number of an inode in the account's state. It stays through
// rename, overwrite and remount and is never given to another file.
type Ino uint64

// Root is the number of media/ itself.
const Root Ino = 1

// FileKind is what an inode is.
type FileKind uint8

// The kinds of inodes. Values are stored in the database.
const (
	Directory FileKind = iota + 1
	File
	Symlink
	Fifo
	Socket
)

// Owner stands for the mount's owner in Attr.UID and Attr.GID.
const Owner = -1

// Where tells where a node's content is.
type Where string

// What Where can be.
const (
	Published Where = "published" // at the service as shown
	Writing   Where = "new"       // written here, not yet at the service as shown
	Pending   Where = "pending"   // closed, waiting to be sent
	Local     Where = "local"     // scratch: never leaves this machine
)

// Attr is all that is known of an inode.
type Attr struct {
	Ino                 Ino
	Kind                FileKind
	Mode                uint32 // permission bits
	OwnMode             bool   // somebody here has given it this mode
	UID, GID            int64  // Owner where never set
	Size                int64  // bytes
	SizeKnown           bool   // false: Size is a guess from the service's KB
	Atime, Mtime, Ctime time.Time
	Target              string // of a symbolic link
	Links               int    // names it has; of a local directory with those that "." and ".." give it

	Beside bool // it stays here beside a database, whose journal it may be
	Where  Where
	ID     int64  // the service's, 0 for none
	SHA256 Digest // of the published content
	Path   string // below media/, empty for media/ itself and for what has no name any more
	Was    string // Path of what was removed here, for failures of those who have it open
}

// Change says what to set; nil fields stay.
type Change struct {
	Mode         *uint32
	UID, GID     *int64
	Atime, Mtime *time.Time
}

// New says who makes a file or directory, and with which permissions.
type New struct {
	Mode     uint32
	UID, GID int64  // Owner for the mount's owner
	Comm     string // name of the program, for the names that only some use for scratch
}
