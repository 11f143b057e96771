package answer

import (
	"encoding/hex"

	"paperfs/remote/rules"
	"paperfs/remote/service/store"
)

// Library writes a tenant's media library: directories, then files, by name. It adds the exact
// size, the digest and the address to the documented attributes, and if versions the version.
func Library(tx store.Reader, w *Writer, tenant int64, versions bool, address func(store.File) string) error {
	dirs, err := tx.Dirs(tenant)
	if err != nil {
		return err
	}
	t := libraryWriter{w: w, address: address, versions: versions}
	children := map[int64][]store.Dir{}
	for _, d := range dirs {
		children[d.Parent] = append(children[d.Parent], d)
	}
	ids := t.list(children, 0, nil)
	t.begin()
	err = tx.Files(tenant, ids, func(f store.File) error {
		for t.dirs[0].id != f.Dir {
			t.next()
		}
		t.file(f)
		return nil
	})
	for err == nil && len(t.dirs) > 1 {
		t.next()
	}
	return err
}

// libraryWriter writes directories as the store reads their files. The files of a
// directory come after everything in its subdirectories.
type libraryWriter struct {
	w       *Writer
	address func(store.File) string
	opens   []store.Dir

	versions bool
	dirs     []mediaDir // not closed yet, in the order of their ends; the last is the root
}

// mediaDir is a directory with the directories to open before its files: itself, and
// before it those around it that are not open yet.
type mediaDir struct {
	id    int64
	opens []store.Dir
}

// list appends the subdirectories of a directory and then the directory itself, and their
// ids to ids.
func (t *libraryWriter) list(children map[int64][]store.Dir, dir int64, ids []int64) []int64 {
	for _, d := range children[dir] {
		t.opens = append(t.opens, d)
		ids = t.list(children, d.ID, ids)
	}
	t.dirs = append(t.dirs, mediaDir{dir, t.opens})
	t.opens = nil
	return append(ids, dir)
}

func (t *libraryWriter) begin() {
	for _, d := range t.dirs[0].opens {
		t.w.Open("directory", t.versioned(d.Version, Int("directoryid", d.ID), String("name", d.Name))...)
	}
}

// next closes the first directory and opens those up to the one that closes next.
func (t *libraryWriter) next() {
	t.w.Close("directory")
	t.dirs = t.dirs[1:]
	t.begin()
}

func (t *libraryWriter) file(f store.File) {
	t.w.Empty("file", t.versioned(f.Version, Int("fileid", f.ID), String("name", f.Name), Int("size", rules.KB(f.Size)), Int("bytes", f.Size),
		String("sha256", hex.EncodeToString(f.SHA256[:])), String("url", t.address(f)))...)
}

// versioned adds a version to attributes.
func (t *libraryWriter) versioned(version int64, attrs ...Attr) []Attr {
	if t.versions {
		attrs = append(attrs, Int("version", version))
	}
	return attrs
}
