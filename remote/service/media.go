package service

import (
	"encoding/hex"
	"strconv"

	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/fault"
	"paperfs/remote/service/store"
	"paperfs/remote/service/value"
)

// mediaParent is the parameter parentID: a directory, or 0 for the root.
func (c *call) mediaParent() (int64, error) { return c.integer("parentID", 0, store.MaxID) }

// mediaPlace reads the parameters of a new directory or file.
func (c *call) mediaPlace() (parent int64, name string, err error) {
	if parent, err = c.mediaParent(); err == nil {
		name, err = c.mediaName()
	}
	return parent, name, err
}

// mediaName is the parameter name of a file or directory; it is taken as sent.
func (c *call) mediaName() (string, error) {
	name := c.param("name")
	if rules.MediaName(name) != rules.None {
		return "", fault.Invalid(`name has to be 1 to 255 characters, not . or .., without / and \ and control characters, without blanks at its ends.`)
	}
	return name, nil
}

// dir finds a directory; the root has no record and is always there.
func (c *call) dir(tx store.Reader, id int64) error {
	if id == 0 {
		return nil
	}
	_, err := tx.Dir(c.tenant.ID, id)
	if store.IsNotFound(err) {
		return fault.Invalid("There is no media directory %d.", id)
	}
	return err
}

func createDirectory(c *call, x *answer.Writer) error {
	parent, name, err := c.mediaPlace()
	if err != nil {
		return err
	}
	var id int64
	err = c.write(func(tx store.Writer) error {
		if err := c.dir(tx, parent); err != nil {
			return err
		}
		if err := c.nameFree(tx, parent, name); err != nil {
			return err
		}
		id, err = tx.AddDir(c.tenant.ID, store.Dir{Parent: parent, Name: name})
		return err
	})
	if err != nil {
		return err
	}
	x.Plain("directoryid", strconv.FormatInt(id, 10))
	return nil
}

// nameFree holds names unique over the files and directories of a parent.
func (c *call) nameFree(tx store.Reader, parent int64, name string) error {
	d, err := tx.DirByName(c.tenant.ID, parent, name)
	if err == nil {
		return fault.Invalid("The directory %d has this name already.", d.ID)
	}
	if !store.IsNotFound(err) {
		return err
	}
	f, err := tx.FileByName(c.tenant.ID, parent, name)
	if err == nil {
		return fault.Invalid("The file %d has this name already.", f.ID)
	}
	if !store.IsNotFound(err) {
		return err
	}
	return nil
}

func deleteDirectory(c *call, _ *answer.Writer) error {
	id, err := c.id("directoryID")
	if err != nil {
		return err
	}
	return c.write(func(tx store.Writer) error {
		if err := c.dir(tx, id); err != nil {
			return err
		}
		empty, err := tx.DirEmpty(c.tenant.ID, id)
		if err != nil {
			return err
		}
		if !empty {
			return fault.Invalid("The directory is not empty.")
		}
		return tx.DeleteDir(id)
	})
}

func deleteFile(c *call, _ *answer.Writer) error {
	id, err := c.id("fileID")
	if err != nil {
		return err
	}
	return c.write(func(tx store.Writer) error {
		file, err := tx.File(c.tenant.ID, id)
		if store.IsNotFound(err) {
			return fault.Invalid("There is no media file %d.", id)
		}
		if err != nil {
			return err
		}
		if err := tx.DeleteFile(id); err != nil {
			return err
		}
		return tx.DropContent(file.Content)
	})
}

// getTree writes the library: directories, then files, by name. The exact
// size, the digest and the address stand beside the documented attributes.
func getTree(c *call, x *answer.Writer) error {
	return c.sendTree(x, treeAnswer{
		key:     c.treeKey(0),
		version: func(tx store.Reader) (int64, error) { return tx.MediaVersion(c.tenant.ID) },
		write:   c.writeMediaTree,
	})
}

func (c *call) writeMediaTree(tx store.Reader, x *answer.Writer) error {
	dirs, err := tx.Dirs(c.tenant.ID)
	if err != nil {
		return err
	}
	t := mediaTreeWriter{c: c, x: x}
	children := map[int64][]store.Dir{}
	for _, d := range dirs {
		children[d.Parent] = append(children[d.Parent], d)
	}
	ids := t.list(children, 0, nil)
	t.begin()
	err = tx.Files(c.tenant.ID, ids, func(f store.File) error {
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

// mediaTreeWriter writes directories as their files come: those of a directory
// come after all that lies in the directories in it.
type mediaTreeWriter struct {
	c     *call
	x     *answer.Writer
	opens []store.Dir
	dirs  []mediaDir // not ended yet, in their order; the last is the root
}

// mediaDir is a directory with those that begin where it is the next to end:
// itself, and before it those that it lies in.
type mediaDir struct {
	id    int64
	opens []store.Dir
}

// list lists a directory after those in it, and adds their ids.
func (t *mediaTreeWriter) list(children map[int64][]store.Dir, dir int64, ids []int64) []int64 {
	for _, d := range children[dir] {
		t.opens = append(t.opens, d)
		ids = t.list(children, d.ID, ids)
	}
	t.dirs = append(t.dirs, mediaDir{dir, t.opens})
	t.opens = nil
	return append(ids, dir)
}

func (t *mediaTreeWriter) begin() {
	for _, d := range t.dirs[0].opens {
		t.x.Open("directory", answer.Int("directoryid", d.ID), answer.String("name", d.Name))
	}
}

// next ends the first directory and begins those up to the one that ends next.
func (t *mediaTreeWriter) next() {
	t.x.Close("directory")
	t.dirs = t.dirs[1:]
	t.begin()
}

func (t *mediaTreeWriter) file(f store.File) {
	t.x.Empty("file", answer.Int("fileid", f.ID), answer.String("name", f.Name), answer.Int("size", value.KB(f.Size)), answer.Int("bytes", f.Size),
		answer.String("sha256", hex.EncodeToString(f.SHA256[:])), answer.String("url", t.c.service.base.Public(t.c.request, t.c.tenant, address.File(f))))
}
