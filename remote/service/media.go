package service

import (
	"strconv"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
)

// mediaParent reads the parameter parentID: a directory, or 0 for the root.
func (c *call) mediaParent() (int64, error) { return c.integer("parentID", 0, store.MaxID) }

// mediaPlace reads the parameters of a new directory or file.
func (c *call) mediaPlace() (parent int64, name string, err error) {
	if parent, err = c.mediaParent(); err == nil {
		name, err = mediaName(c.param("name"))
	}
	return parent, name, err
}

// mediaName checks the name of a file or directory, and does not change it.
func mediaName(name string) (string, error) {
	if rules.MediaName(name) != rules.None {
		return "", answer.Invalid(`name has to be 1 to 255 characters, not . or .., without /, \ and control characters, and without spaces at its ends.`)
	}
	return name, nil
}

// dir checks that a directory exists. The root has no record and always exists.
func (a *actor) dir(tx store.Reader, id int64) error {
	if id == 0 {
		return nil
	}
	_, err := tx.Dir(a.tenant.ID, id)
	if store.IsNotFound(err) {
		return noDir(id)
	}
	return err
}

func noFile(id int64) error { return answer.Invalid("There is no media file %d.", id) }

func noDir(id int64) error { return answer.Invalid("There is no media directory %d.", id) }

func createDirectory(c *call, w *answer.Writer) error {
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
	w.Plain("directoryid", strconv.FormatInt(id, 10))
	return nil
}

// nameFree refuses a name that a file or directory of the parent has.
func (c *call) nameFree(tx store.Reader, parent int64, name string) error {
	if err := c.noDirNamed(tx, parent, name); err != nil {
		return err
	}
	return c.noFileNamed(tx, parent, name)
}

func (c *call) noDirNamed(tx store.Reader, parent int64, name string) error {
	d, err := tx.DirByName(c.tenant.ID, parent, name)
	if err == nil {
		return answer.Invalid("The directory %d has this name already.", d.ID)
	}
	return store.IgnoreNotFound(err)
}

func (c *call) noFileNamed(tx store.Reader, parent int64, name string) error {
	f, err := tx.FileByName(c.tenant.ID, parent, name)
	if err == nil {
		return answer.Invalid("The file %d has this name already.", f.ID)
	}
	return store.IgnoreNotFound(err)
}

func deleteDirectory(c *call, w *answer.Writer) error {
	return c.deleteThing(w, "directoryID", func(tx store.Writer, id int64, o condition) error {
		dir, err := tx.Dir(c.tenant.ID, id)
		if store.IsNotFound(err) {
			return o.gone(noDir(id))
		}
		if err == nil {
			err = o.judge(dir.ID, dir.Version)
		}
		if err != nil {
			return err
		}
		return c.deleteEmpty(tx, id)
	})
}

func (c *call) deleteEmpty(tx store.Writer, dir int64) error {
	empty, err := tx.DirEmpty(c.tenant.ID, dir)
	if err != nil {
		return err
	}
	if !empty {
		return answer.Invalid("The directory is not empty.")
	}
	return tx.DeleteDir(dir, c.by())
}

// deleteThing runs the change of a deletion.
func (c *call) deleteThing(w *answer.Writer, param string, change func(tx store.Writer, id int64, o condition) error) error {
	id, err := c.id(param)
	if err != nil {
		return err
	}
	o, err := c.condition()
	if err == nil {
		err = c.write(func(tx store.Writer) error { return change(tx, id, o) })
	}
	if err == nil {
		c.tellVersion(w, 0)
	}
	return err
}

func deleteFile(c *call, w *answer.Writer) error {
	return c.deleteThing(w, "fileID", func(tx store.Writer, id int64, o condition) error {
		file, err := tx.File(c.tenant.ID, id)
		if store.IsNotFound(err) {
			return o.gone(noFile(id))
		}
		if err == nil {
			err = o.judge(file.ID, file.Version)
		}
		if err != nil {
			return err
		}
		by := c.by()
		err = tx.DeleteFile(id, 0, by)
		if err == nil && by.Nothing {
			err = tx.DropContent(file.Content)
		}
		return err
	})
}

// getTree answers GetTree.
func getTree(c *call, w *answer.Writer) error {
	return c.sendTree(w, treeAnswer{
		key:     c.treeKey(0),
		version: func(tx store.Reader) (int64, error) { return tx.MediaVersion(c.tenant.ID) },
		write: func(tx store.Reader, w *answer.Writer) error {
			return answer.Library(tx, w, c.tenant.ID, c.prefersVersions(), func(f store.File) string { return c.service.base.Public(c.request, c.tenant, address.File(f)) })
		},
	})
}

// quota returns the tenant's current quota: an administrator may have changed it since
// the call began.
func (a *actor) quota(tx store.Reader) (store.Quota, error) {
	t, err := tx.Tenant(a.tenant.ID)
	return t.Quota, err
}

// mediaRoom checks that content, which replaces that of freed bytes, fits into the quota. Content that
// is not larger than what it replaces always fits.
func (a *actor) mediaRoom(tx store.Reader, bytes, freed int64) error {
	if bytes <= freed {
		return nil
	}
	quotas, err := a.quota(tx)
	if err != nil || quotas.MediaBytes == nil {
		return err
	}
	quota := *quotas.MediaBytes
	used, err := tx.Usage(a.tenant.ID, a.now())
	if err == nil && used.MediaBytes-freed+bytes > quota {
		return answer.Full(remote.FullQuota, "The media quota of %d bytes has no room for this: %d bytes are in use, and the file has %d.", quota, used.MediaBytes, bytes)
	}
	return err
}

// paperRoom checks that the tenant may have one more paper.
func (a *actor) paperRoom(tx store.Reader) error {
	quota, err := a.quota(tx)
	if err != nil || quota.Papers == nil {
		return err
	}
	used, err := tx.Usage(a.tenant.ID, a.now())
	if err == nil && used.Papers >= *quota.Papers {
		return answer.Full(remote.FullQuota, "The quota of %d papers is used up.", *quota.Papers)
	}
	return err
}
