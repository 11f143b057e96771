package service

import (
	"cmp"
	"strconv"
	"time"

	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
)

// takenUp is for how long an upload takes up the id of a file of that name that was deleted there:
// programs that remove a file before they write it again keep its address and the links to it.
const takenUp = 10 * time.Minute

// uploadFile stores a file. It replaces the content of a file whose name differs at most
// in case; that file keeps its id and its spelling. Small content is in the record. Other
// content is on the disk before the record that names it; the next start sweeps content
// without a record.
func uploadFile(c *call, w *answer.Writer) error {
	parent, name, err := c.mediaPlace()
	if err != nil {
		return err
	}
	o, err := c.condition()
	if err != nil {
		return err
	}
	if c.upload.size > store.SmallContent || c.upload.fault() != nil {
		// A check before the content is made durable may save that work. The change
		// checks again.
		err := c.read(func(tx store.Reader) error {
			_, _, err := c.mayHoldFile(tx, parent, name, o)
			return err
		})
		if err != nil {
			return err
		}
	}
	file, err := c.upload.commitLarge()
	if err != nil {
		return err
	}
	file.Dir, file.Name = parent, name
	var stands bool
	err = c.write(func(tx store.Writer) error {
		var old store.File
		if old, stands, err = c.mayHoldFile(tx, parent, name, o); err != nil {
			return err
		}
		file.Name = cmp.Or(old.Name, name)
		if file.ID, file.Version = old.ID, old.Version; stands {
			return nil
		}
		if err := tx.KeepContent(file.Content); err != nil {
			return err
		}
		if old.ID == 0 {
			file.Version, file.Since = store.NewVersion(), c.service.now().Add(-takenUp)
			if file.ID, err = tx.AddFile(c.tenant.ID, file); err == nil {
				err = tx.TakenUp(file.ID, c.account.Name)
			}
			return err
		}
		file.Version, err = c.setContent(tx, old, file)
		return err
	})
	if c.forget(file, err); err != nil {
		return err
	}
	if stands {
		c.service.drop(c.tenant.ID, file.Content)
	}
	w.Plain("fileid", strconv.FormatInt(file.ID, 10))
	if c.tellVersion(w, file.Version); c.tellsVersion() {
		w.Plain("url", c.service.base.Public(c.request, c.tenant, address.File(file)))
	}
	return nil
}

// setContent gives a file other content. The same content again may repair what is damaged.
func (a *actor) setContent(tx store.Writer, old, file store.File) (version int64, err error) {
	if file.Version = 0; file.Size == old.Size && file.SHA256 == old.SHA256 {
		file.Version = old.Version
		if err := tx.DropContent(old.Content); err != nil {
			return 0, err
		}
	}
	return tx.SetContent(old.ID, file, a.by())
}

// mayHoldFile checks that a directory exists and contains no directory of a name, that the
// condition holds, and that the quota has room for the content. It returns the file of that name,
// and stands if the condition does not hold but the file has this content.
func (c *call) mayHoldFile(tx store.Reader, parent int64, name string, o condition) (old store.File, stands bool, err error) {
	if err := c.dir(tx, parent); err != nil {
		return old, false, err
	}
	d, err := tx.DirByName(c.tenant.ID, parent, name)
	if err == nil {
		return old, false, answer.Invalid("The directory %d has this name.", d.ID)
	}
	if !store.IsNotFound(err) {
		return old, false, err
	}
	old, err = tx.FileByName(c.tenant.ID, parent, name)
	if err := store.IgnoreNotFound(err); err != nil {
		return old, false, err
	}
	if err := o.judge(old.ID, old.Version); err != nil {
		if sent := c.upload.measured(); old.ID != 0 && sent.Size == old.Size && sent.SHA256 == old.SHA256 {
			return old, true, nil
		}
		return old, false, err
	}
	return old, false, c.mediaRoom(tx, c.upload.size, old.Size)
}

// standingFile is the standingContent of UploadFile.
func standingFile(c *call, o condition) (refused error, bytes int64, err error) {
	err = c.read(func(tx store.Reader) error {
		parent, name, err := c.mediaPlace()
		if err != nil {
			return nil // they may follow the content
		}
		old, err := tx.FileByName(c.tenant.ID, parent, name)
		if refused, bytes = o.judge(old.ID, old.Version), old.Size; old.ID == 0 {
			bytes = -1
		}
		return store.IgnoreNotFound(err)
	})
	return refused, bytes, err
}
