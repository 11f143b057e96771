package operation

import (
	"strconv"

	"paperfs/remote/rules"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/call"
	"paperfs/remote/service/store"
)

// moving are the parameters of MoveFile and MoveDirectory.
type moving struct {
	call.Condition
	id, parent int64
	name       string
	replace    bool
	over       call.Condition // of the file that is replaced
}

func readMoving(c *call.Call, id string) (m moving, err error) {
	if m.id, err = c.ID(id); err != nil {
		return m, err
	}
	if m.parent, m.name, err = readMediaPlace(c); err != nil {
		return m, err
	}
	if m.replace, err = c.Boolean("replace", false); err != nil {
		return m, err
	}
	m.Condition, err = c.Condition()
	return m, err
}

func moveFile(c *call.Call, w *answer.Writer) error {
	m, err := readMoving(c, "fileID")
	if err != nil {
		return err
	}
	if m.over, err = c.Required("replaceVersion"); err != nil {
		return err
	}
	m.replace = m.replace || m.over.Sent
	var moved store.File
	err = c.Write(func(tx store.Writer) (err error) {
		moved, err = placeFile(c, tx, m)
		return err
	})
	if err != nil {
		return err
	}
	w.Plain("fileid", strconv.FormatInt(moved.ID, 10))
	c.TellVersion(w, moved.Version)
	return nil
}

// placeFile returns the file that then has the name.
func placeFile(c *call.Call, tx store.Writer, m moving) (store.File, error) {
	file, err := tx.File(c.Tenant.ID, m.id)
	if store.IsNotFound(err) {
		successor, err := tx.Successor(c.Tenant.ID, m.id)
		if store.IsNotFound(err) || err == nil && !(successor.Dir == m.parent && rules.Same(successor.Name, m.name)) {
			err = m.Missing(noFile(m.id))
		}
		return successor, err // a repeat of a move over another file
	}
	if err != nil || file.Dir == m.parent && file.Name == m.name {
		return file, err
	}
	if err := m.Judge(file.ID, file.Version); err != nil {
		return file, err
	}
	if err := checkDir(&c.Actor, tx, m.parent); err != nil {
		return file, err
	}
	if err := noDirNamed(c, tx, m.parent, m.name); err != nil {
		return file, err
	}
	target, err := tx.FileByName(c.Tenant.ID, m.parent, m.name)
	if err := store.IgnoreNotFound(err); err != nil {
		return file, err
	}
	if target.ID != 0 && target.ID != file.ID {
		if !m.replace {
			return file, answer.Invalid("The file %d has this name already.", target.ID)
		}
		if err := m.over.Judge(target.ID, target.Version); err != nil {
			return file, err
		}
		return moveOver(c, tx, file, target)
	}
	file.Version, err = tx.MoveFile(file.ID, m.parent, m.name)
	return file, err
}

// moveOver ends a file and gives its content to another one.
func moveOver(c *call.Call, tx store.Writer, file, target store.File) (store.File, error) {
	var err error
	if file.Content == "" {
		if file.Small, err = tx.SmallContent(file.ID); err != nil {
			return target, err
		}
		file.Small = append([]byte{}, file.Small...) // never nil
	}
	if err := tx.DeleteFile(file.ID, target.ID, c.By()); err != nil {
		return target, err
	}
	file.Version = 0
	target.Version, err = tx.SetContent(target.ID, file, c.By())
	return target, err
}

func moveDirectory(c *call.Call, w *answer.Writer) error {
	m, err := readMoving(c, "directoryID")
	if err != nil {
		return err
	}
	var moved store.Dir
	err = c.Write(func(tx store.Writer) (err error) {
		moved, err = placeDirectory(c, tx, m)
		return err
	})
	if err != nil {
		return err
	}
	w.Plain("directoryid", strconv.FormatInt(moved.ID, 10))
	c.TellVersion(w, moved.Version)
	return nil
}

func placeDirectory(c *call.Call, tx store.Writer, m moving) (store.Dir, error) {
	dir, err := tx.Dir(c.Tenant.ID, m.id)
	if store.IsNotFound(err) {
		return dir, m.Missing(noDir(m.id))
	}
	if err != nil || dir.Parent == m.parent && dir.Name == m.name {
		return dir, err
	}
	if err := m.Judge(dir.ID, dir.Version); err != nil {
		return dir, err
	}
	if err := checkDir(&c.Actor, tx, m.parent); err != nil {
		return dir, err
	}
	below, err := tx.DirBelow(m.parent, dir.ID)
	if err != nil {
		return dir, err
	}
	if below {
		return dir, answer.Invalid("The directory %d cannot be moved below itself.", dir.ID)
	}
	if err := clearFor(c, tx, dir, m); err != nil {
		return dir, err
	}
	dir.Version, err = tx.MoveDir(dir.ID, m.parent, m.name)
	return dir, err
}

// clearFor makes a directory's new name free.
func clearFor(c *call.Call, tx store.Writer, dir store.Dir, m moving) error {
	target, err := tx.DirByName(c.Tenant.ID, m.parent, m.name)
	switch {
	case store.IsNotFound(err):
		return noFileNamed(c, tx, m.parent, m.name)
	case err != nil || target.ID == dir.ID:
		return err
	case !m.replace:
		return answer.Invalid("The directory %d has this name already.", target.ID)
	}
	return deleteEmpty(c, tx, target.ID)
}
