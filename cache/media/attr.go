package media

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

// The places.
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

	Where  Where
	ID     int64  // the service's, 0 for none
	SHA256 Digest // of the published content
	Path   string // below media/, empty for media/ itself and for what has no name any more
}

// Change says what to set; nil fields stay.
type Change struct {
	Mode         *uint32
	UID, GID     *int64
	Atime, Mtime *time.Time
}

// Listing is a directory's entries as they were at one time.
type Listing struct {
	Version uint32 // of the directory: another one with each name that comes or goes
	Entries []Entry
}

// Entry is one name of a directory.
type Entry struct {
	// Place orders the entries of a directory. It is above 1<<10, below
	// 1<<PlaceBits, and the same for as long as the name is there.
	Place uint64
	Name  string
	Ino   Ino
	Kind  FileKind
	node  *node
}

// A place is an inode's number above the number of the name among those that the
// inode has in the directory.
const (
	namesBits = 10
	PlaceBits = 47
)
