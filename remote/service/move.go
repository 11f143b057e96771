package service

import (
	"strconv"

	"paperfs/remote/rules"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
)

// moving are the parameters of MoveFile and MoveDirectory.
type moving struct {
	condition
	id, parent int64
	name       string
	replace    bool
	over       condition // of the file that is replaced
}

func (c *call) moving(id string) (m moving, err error) {
	if m.id, err = c.id(id); err != nil {
		return m, err
	}
	if m.parent, m.name, err = c.mediaPlace(); err != nil {
		return m, err
	}
	if m.replace, err = c.boolean("replace", false); err != nil {
		return m, err
	}
	m.condition, err = c.condition()
	return m, err
}

func moveFile(c *call, w *answer.Writer) error {
	m, err := c.moving("fileID")
	if err != nil {
		return err
	}
	if m.over, err = c.required("replaceVersion"); err != nil {
		return err
	}
	m.replace = m.replace || m.over.sent
	var moved store.File
	err = c.write(func(tx store.Writer) (err error) {
		moved, err = c.moveFile(tx, m)
		return err
	})
	if err != nil {
		return err
	}
	w.Plain("fileid", strconv.FormatInt(moved.ID, 10))
	c.tellVersion(w, moved.Version)
	return nil
}

// moveFile returns the file that then has the name.
func (c *call) moveFile(tx store.Writer, m moving) (store.File, error) {
	file, err := tx.File(c.tenant.ID, m.id)
	if store.IsNotFound(err) {
		successor, err := tx.Successor(c.tenant.ID, m.id)
		if store.IsNotFound(err) || err == nil && !(successor.Dir == m.parent && rules.Same(successor.Name, m.name)) {
			err = m.missing(noFile(m.id))
		}
		return successor, err // a repeat of a move over another file
	}
	if err != nil || file.Dir == m.parent && file.Name == m.name {
		return file, err
	}
	if err := m.judge(file.ID, file.Version); err != nil {
		return file, err
	}
	if err := c.dir(tx, m.parent); err != nil {
		return file, err
	}
	if err := c.noDirNamed(tx, m.parent, m.name); err != nil {
		return file, err
	}
	target, err := tx.FileByName(c.tenant.ID, m.parent, m.name)
	if err := store.IgnoreNotFound(err); err != nil {
		return file, err
	}
	if target.ID != 0 && target.ID != file.ID {
		if !m.replace {
			return file, answer.Invalid("The file %d has this name already.", target.ID)
		}
		if err := m.over.judge(target.ID, target.Version); err != nil {
			return file, err
		}
		return c.moveOver(tx, file, target)
	}
	file.Version, err = tx.MoveFile(file.ID, m.parent, m.name)
	return file, err
}

// moveOver ends a file and gives its content to another one.
func (c *call) moveOver(tx store.Writer, file, target store.File) (store.File, error) {
	var err error
	if file.Content == "" {
		if file.Small, err = tx.SmallContent(file.ID); err != nil {
			return target, err
		}
		file.Small = append([]byte{}, file.Small...) // never nil
	}
	if err := tx.DeleteFile(file.ID, target.ID, c.by()); err != nil {
		return target, err
	}
	file.Version = 0
	target.Version, err = tx.SetContent(target.ID, file, c.by())
	return target, err
}

func moveDirectory(c *call, w *answer.Writer) error {
	m, err := c.moving("directoryID")
	if err != nil {
		return err
	}
	var moved store.Dir
	err = c.write(func(tx store.Writer) (err error) {
		moved, err = c.moveDirectory(tx, m)
		return err
	})
	if err != nil {
		return err
	}
	w.Plain("directoryid", strconv.FormatInt(moved.ID, 10))
	c.tellVersion(w, moved.Version)
	return nil
}

func (c *call) moveDirectory(tx store.Writer, m moving) (store.Dir, error) {
	dir, err := tx.Dir(c.tenant.ID, m.id)
	if store.IsNotFound(err) {
		return dir, m.missing(noDir(m.id))
	}
	if err != nil || dir.Parent == m.parent && dir.Name == m.name {
		return dir, err
	}
	if err := m.judge(dir.ID, dir.Version); err != nil {
		return dir, err
	}
	if err := c.dir(tx, m.parent); err != nil {
		return dir, err
	}
	below, err := tx.DirBelow(m.parent, dir.ID)
	if err != nil {
		return dir, err
	}
	if below {
		return dir, answer.Invalid("The directory %d cannot be moved below itself.", dir.ID)
	}
	if err := c.clearFor(tx, dir, m); err != nil {
		return dir, err
	}
	dir.Version, err = tx.MoveDir(dir.ID, m.parent, m.name)
	return dir, err
}

// clearFor makes a directory's new name free.
func (c *call) clearFor(tx store.Writer, dir store.Dir, m moving) error {
	target, err := tx.DirByName(c.tenant.ID, m.parent, m.name)
	switch {
	case store.IsNotFound(err):
		return c.noFileNamed(tx, m.parent, m.name)
	case err != nil || target.ID == dir.ID:
		return err
	case !m.replace:
		return answer.Invalid("The directory %d has this name already.", target.ID)
	}
	return c.deleteEmpty(tx, target.ID)
}
