package store

// Dir is a directory of the media library. The library's root has id 0 and no
// record.
type Dir struct {
	ID, Parent int64
	Name       string
}

// File is a media file. Its id survives overwriting.
type File struct {
	ID, Dir int64
	Name    string
	Size    int64 // bytes
	SHA256  [32]byte
	// Content is the key of its content in a Contents; "" where that is small
	// and kept with the record.
	Content string
	// Small is such content, for MediaWriter only: MediaReader has SmallContent.
	Small []byte
}

// MediaReader finds media. Names are compared folded (see rules.Fold).
type MediaReader interface {
	Dir(tenant, id int64) (Dir, error)
	File(tenant, id int64) (File, error)
	DirByName(tenant, parent int64, name string) (Dir, error)
	FileByName(tenant, parent int64, name string) (File, error)
	// Dirs returns all directories of a tenant, by folded name.
	Dirs(tenant int64) ([]Dir, error)
	// Files visits the files of directories: by directory in the order given, by
	// folded name.
	Files(tenant int64, dirs []int64, visit func(File) error) error
	// SmallContent returns the content of a file whose Content is "".
	SmallContent(file int64) ([]byte, error)
	// MediaVersion is for directories and files what TreeVersion is for nodes.
	MediaVersion(tenant int64) (int64, error)
	DirEmpty(tenant, id int64) (bool, error)
	// ContentKeys returns the keys in use that begin with prefix.
	ContentKeys(prefix string) ([]string, error)
}

// MediaWriter changes media. That a name is used once among the files and the
// directories of a parent together is the caller's to check.
type MediaWriter interface {
	AddDir(tenant int64, d Dir) (int64, error)
	DeleteDir(id int64) error
	AddFile(tenant int64, f File) (int64, error)
	SetContent(id int64, f File) error // size, digest and content of f
	DeleteFile(id int64) error
}
