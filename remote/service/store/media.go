package store

import "time"

// Dir is a directory of the media library. The library's root has id 0 and no
// record.
type Dir struct {
	ID, Parent int64
	Name       string
	Version    int64 // differs after each change of the parent or the name
}

// File is a media file. Its id survives overwriting.
type File struct {
	ID, Dir int64
	Name    string
	Size    int64 // bytes
	SHA256  [32]byte
	// Content is the key in a Contents; "" if the content is small and stored in the record.
	Content string
	// Small is the small content. Only MediaWriter uses it; readers call SmallContent.
	Small []byte
	// Since is of AddFile only: if a file of that name was deleted there since then, the new one
	// takes up its id.
	Since   time.Time
	Version int64 // differs after each change
}

// MediaReader finds media. Names are compared folded (see rules.Fold).
type MediaReader interface {
	Dir(tenant, id int64) (Dir, error)
	File(tenant, id int64) (File, error)
	// FileOfHost is File of the tenant that TenantByHost returns. Nearly every download needs nothing else.
	FileOfHost(host string, id int64) (File, error)
	DirByName(tenant, parent int64, name string) (Dir, error)
	FileByName(tenant, parent int64, name string) (File, error)
	// Dirs returns all directories of a tenant, by folded name.
	Dirs(tenant int64) ([]Dir, error)
	// Files visits the files of directories, in the order of dirs, then by folded name.
	Files(tenant int64, dirs []int64, visit func(File) error) error
	// DirBelow reports whether a directory is another one or below it.
	DirBelow(id, top int64) (bool, error)
	// SmallContent returns the content of a file whose Content is "". ErrDamaged: it has not the file's SHA256.
	SmallContent(file int64) ([]byte, error)
	// MediaVersion is to directories and files what TreeVersion is to nodes.
	MediaVersion(tenant int64) (int64, error)
	DirEmpty(tenant, id int64) (bool, error)
	// ContentKeys returns the keys in use that begin with prefix.
	ContentKeys(prefix string) ([]string, error)
}

// MediaWriter changes media. The caller makes sure that a name is unique among the files and
// directories of one parent.
type MediaWriter interface {
	// AddDir adds a directory with d.ID, or a new id if that is 0.
	AddDir(tenant int64, d Dir) (int64, error)
	// DeleteDir deletes an empty directory, and keeps it.
	DeleteDir(id int64, by By) error
	// AddFile adds a file with f.ID and f.Version, or new ones where they are 0.
	AddFile(tenant int64, f File) (int64, error)
	// SetContent replaces size, digest and content by those of f, returns the new version, and keeps
	// the replaced one. If f has a version already, it is the same content, stored again: then it
	// keeps nothing, and the caller drops the old content.
	SetContent(id int64, f File, by By) (version int64, err error)
	// MoveFile gives a file another place, and returns its new version; so does MoveDir.
	MoveFile(id, dir int64, name string) (version int64, err error)
	MoveDir(id, parent int64, name string) (version int64, err error)
	// DeleteFile ends a file, and keeps it; or it became another one, 0 for none, with its content.
	DeleteFile(id, became int64, by By) error
}
