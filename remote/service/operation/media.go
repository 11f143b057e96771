package operation

import (
	"encoding/hex"
	"strconv"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/call"
	"paperfs/remote/service/reader"
	"paperfs/remote/service/store"
)

// readMediaParent reads the parameter parentID: a directory, or 0 for the root.
func readMediaParent(c *call.Call) (int64, error) { return c.Integer("parentID", 0, store.MaxID) }

// readMediaPlace reads the parameters of a new directory or file.
func readMediaPlace(c *call.Call) (parent int64, name string, err error) {
	if parent, err = readMediaParent(c); err == nil {
		name, err = mediaName(c.Param("name"))
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

// checkDir checks that a directory exists. The root has no record and always exists.
func checkDir(a *call.Actor, tx store.Reader, id int64) error {
	if id == 0 {
		return nil
	}
	_, err := tx.Dir(a.Tenant.ID, id)
	if store.IsNotFound(err) {
		return noDir(id)
	}
	return err
}

func noFile(id int64) error { return answer.Invalid("There is no media file %d.", id) }

func noDir(id int64) error { return answer.Invalid("There is no media directory %d.", id) }

func createDirectory(c *call.Call, w *answer.Writer) error {
	parent, name, err := readMediaPlace(c)
	if err != nil {
		return err
	}
	var id int64
	err = c.Write(func(tx store.Writer) error {
		if err := checkDir(&c.Actor, tx, parent); err != nil {
			return err
		}
		if err := nameFree(c, tx, parent, name); err != nil {
			return err
		}
		id, err = tx.AddDir(c.Tenant.ID, store.Dir{Parent: parent, Name: name})
		return err
	})
	if err != nil {
		return err
	}
	w.Plain("directoryid", strconv.FormatInt(id, 10))
	return nil
}

// nameFree refuses a name that a file or directory of the parent has.
func nameFree(c *call.Call, tx store.Reader, parent int64, name string) error {
	if err := noDirNamed(c, tx, parent, name); err != nil {
		return err
	}
	return noFileNamed(c, tx, parent, name)
}

func noDirNamed(c *call.Call, tx store.Reader, parent int64, name string) error {
	d, err := tx.DirByName(c.Tenant.ID, parent, name)
	if err == nil {
		return answer.Invalid("The directory %d has this name already.", d.ID)
	}
	return store.IgnoreNotFound(err)
}

func noFileNamed(c *call.Call, tx store.Reader, parent int64, name string) error {
	f, err := tx.FileByName(c.Tenant.ID, parent, name)
	if err == nil {
		return answer.Invalid("The file %d has this name already.", f.ID)
	}
	return store.IgnoreNotFound(err)
}

func deleteDirectory(c *call.Call, w *answer.Writer) error {
	return deleteThing(c, w, "directoryID", func(tx store.Writer, id int64, o call.Condition) error {
		dir, err := tx.Dir(c.Tenant.ID, id)
		if store.IsNotFound(err) {
			return o.Gone(noDir(id))
		}
		if err == nil {
			err = o.Judge(dir.ID, dir.Version)
		}
		if err != nil {
			return err
		}
		return deleteEmpty(c, tx, id)
	})
}

func deleteEmpty(c *call.Call, tx store.Writer, dir int64) error {
	empty, err := tx.DirEmpty(c.Tenant.ID, dir)
	if err != nil {
		return err
	}
	if !empty {
		return answer.Invalid("The directory is not empty.")
	}
	return tx.DeleteDir(dir, c.By())
}

// deleteThing runs the change of a deletion.
func deleteThing(c *call.Call, w *answer.Writer, param string, change func(tx store.Writer, id int64, o call.Condition) error) error {
	id, err := c.ID(param)
	if err != nil {
		return err
	}
	o, err := c.Condition()
	if err == nil {
		err = c.Write(func(tx store.Writer) error { return change(tx, id, o) })
	}
	if err == nil {
		c.TellVersion(w, 0)
	}
	return err
}

func deleteFile(c *call.Call, w *answer.Writer) error {
	return deleteThing(c, w, "fileID", func(tx store.Writer, id int64, o call.Condition) error {
		file, err := tx.File(c.Tenant.ID, id)
		if store.IsNotFound(err) {
			return o.Gone(noFile(id))
		}
		if err == nil {
			err = o.Judge(file.ID, file.Version)
		}
		if err != nil {
			return err
		}
		by := c.By()
		err = tx.DeleteFile(id, 0, by)
		if err == nil && by.Nothing {
			err = tx.DropContent(file.Content)
		}
		return err
	})
}

// getTree answers GetTree.
func getTree(c *call.Call, w *answer.Writer) error {
	return c.SendTree(w, call.TreeAnswer{
		Key: c.TreeKey(0),
		Version: func(tx store.Reader) (int64, error) {
			left, err := mediaRoom(&c.Actor, tx, 0, 0)
			if err != nil {
				return 0, err
			}
			c.TellRoom(left)
			return tx.MediaVersion(c.Tenant.ID)
		},
		Write: func(tx store.Reader, w *answer.Writer) error {
			return answer.Library(tx, w, c.Tenant.ID, c.PrefersVersions(), func(f store.File) string { return c.Service.Base.Public(c.Request, c.Tenant, address.File(f)) })
		},
	})
}

// currentQuota returns the tenant's current quota: an administrator may have changed it since
// the call began.
func currentQuota(a *call.Actor, tx store.Reader) (store.Quota, error) {
	t, err := tx.Tenant(a.Tenant.ID)
	return t.Quota, err
}

// mediaRoom returns what the quota of media files leaves after content that replaces that of freed bytes, nil if there is no
// quota. It refuses content that does not fit, unless it is no larger than what it replaces.
func mediaRoom(a *call.Actor, tx store.Reader, bytes, freed int64) (left *int64, err error) {
	quotas, err := currentQuota(a, tx)
	if err != nil || quotas.MediaBytes == nil {
		return nil, err
	}
	quota := *quotas.MediaBytes
	used, err := tx.Usage(a.Tenant.ID, a.Now())
	after := used.MediaBytes - freed + bytes
	if err == nil && after > quota && bytes > freed {
		return nil, answer.Full(remote.FullQuota, "The media quota of %d bytes has no room for this: %d bytes are in use, and the file has %d.", quota, used.MediaBytes, bytes)
	}
	return new(max(0, quota-after)), err
}

// paperRoom checks that the tenant may have one more paper.
func paperRoom(a *call.Actor, tx store.Reader) error {
	quota, err := currentQuota(a, tx)
	if err != nil || quota.Papers == nil {
		return err
	}
	used, err := tx.Usage(a.Tenant.ID, a.Now())
	if err == nil && used.Papers >= *quota.Papers {
		return answer.Full(remote.FullQuota, "The quota of %d papers is used up.", *quota.Papers)
	}
	return err
}

// getContent sends the bytes of a media file as they are, or of an earlier version that is kept. Its type
// tells them from a failure, whatever the file is.
func getContent(c *call.Call, _ *answer.Writer) error {
	if c.SOAP != nil {
		return answer.Invalid("GetContent answers with the bytes themselves: call it by GET or POST.")
	}
	find, err := findContent(c)
	if err != nil {
		return err
	}
	file, content, err := c.Service.Reader.OpenFile(c.Context(), find)
	if store.IsNotFound(err) {
		return answer.Invalid("There is no such media file, or no such version or entry any more.")
	}
	if err != nil {
		return err
	}
	defer content.Close()
	out := c.Raw()
	h := out.Header()
	h.Set("Content-Type", "application/octet-stream")
	if file.SHA256 != [32]byte{} { // that of a PDF is not known
		h.Set("ETag", `"`+hex.EncodeToString(file.SHA256[:])+`"`)
	}
	reader.ServeFile(out, c.Request, content)
	return nil
}

// findContent returns how to find what the parameters name.
func findContent(c *call.Call) (func(tx store.Reader) (store.File, error), error) {
	if c.Param("entryID") != "" {
		entry, err := readEntryID(c)
		if err == nil && c.Account.Role < remote.Editor {
			err = answer.Refuse(remote.LoginSecurityViolation, "This account may not read what was deleted or replaced.")
		}
		return func(tx store.Reader) (store.File, error) {
			k, err := tx.Kept(c.Tenant.ID, entry)
			if err == nil && k.Kind != store.KeptFile && k.Kind != store.KeptPDF {
				err = store.ErrNotFound
			}
			return k.File, err
		}, err
	}
	id, err := c.ID("fileID")
	if err != nil {
		return nil, err
	}
	wanted, err := c.Version("version")
	return func(tx store.Reader) (store.File, error) {
		file, err := tx.File(c.Tenant.ID, id)
		if wanted != nil && (store.IsNotFound(err) || err == nil && file.Version != *wanted) {
			return tx.PastFile(c.Tenant.ID, id, *wanted)
		}
		if err == nil && file.Content == "" {
			file.Small, err = tx.SmallContent(id)
		}
		return file, err
	}, err
}
