package service

import (
	"strconv"

	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/fault"
	"paperfs/remote/service/store"
	"paperfs/remote/service/xmldoc"
)

// mediaParent reads the parameter parentID: a directory, or 0 for the root.
func (c *call) mediaParent() (int64, error) { return c.integer("parentID", 0, store.MaxID) }

// mediaPlace reads the parameters of a new directory or file.
func (c *call) mediaPlace() (parent int64, name string, err error) {
	if parent, err = c.mediaParent(); err == nil {
		name, err = c.mediaName()
	}
	return parent, name, err
}

// mediaName reads the parameter name of a file or directory, and does not change it.
func (c *call) mediaName() (string, error) {
	name := c.param("name")
	if rules.MediaName(name) != rules.None {
		return "", fault.Invalid(`name has to be 1 to 255 characters, not . or .., without /, \ and control characters, and without spaces at its ends.`)
	}
	return name, nil
}

// dir checks that a directory exists. The root has no record and always exists.
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

// nameFree refuses a name that a file or directory of the parent has.
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

// getTree answers GetTree.
func getTree(c *call, x *answer.Writer) error {
	return c.sendTree(x, treeAnswer{
		key:     c.treeKey(0),
		version: func(tx store.Reader) (int64, error) { return tx.MediaVersion(c.tenant.ID) },
		write: func(tx store.Reader, x *answer.Writer) error {
			return xmldoc.Library(tx, x, c.tenant.ID, func(f store.File) string { return c.service.base.Public(c.request, c.tenant, address.File(f)) })
		},
	})
}
