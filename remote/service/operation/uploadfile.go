package operation

import (
	"cmp"
	"strconv"
	"time"

	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/call"
	"paperfs/remote/service/store"
)

// takenUp is for how long an upload takes up the id of a file of that name that was deleted there:
// programs that remove a file before they write it again keep its address and the links to it.
const takenUp = 10 * time.Minute

// uploadFile stores a file. It replaces the content of a file whose name differs at most
// in case; that file keeps its id and its spelling. Small content is in the record. Other
// content is on the disk before the record that names it; the next start sweeps content
// without a record.
func uploadFile(c *call.Call, w *answer.Writer) error {
	parent, name, err := readMediaPlace(c)
	if err != nil {
		return err
	}
	o, err := c.Condition()
	if err != nil {
		return err
	}
	if c.Upload.Size > store.SmallContent || c.Upload.Fault() != nil {
		// A check before the content is made durable may save that work. The change
		// checks again.
		err := c.Read(func(tx store.Reader) error {
			_, _, err := mayHoldFile(c, tx, parent, name, o)
			return err
		})
		if err != nil {
			return err
		}
	}
	file, err := c.Upload.CommitLarge()
	if err != nil {
		return err
	}
	file.Dir, file.Name = parent, name
	var stands bool
	err = c.Write(func(tx store.Writer) error {
		var old store.File
		if old, stands, err = mayHoldFile(c, tx, parent, name, o); err != nil {
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
			file.Version, file.Since = store.NewVersion(), c.Service.Now().Add(-takenUp)
			if file.ID, err = tx.AddFile(c.Tenant.ID, file); err == nil {
				err = tx.TakenUp(file.ID, c.Account.Name)
			}
			return err
		}
		file.Version, err = setContent(&c.Actor, tx, old, file)
		return err
	})
	if c.Forget(file, err); err != nil {
		return err
	}
	if stands {
		c.Service.Drop(c.Tenant.ID, file.Content)
	}
	w.Plain("fileid", strconv.FormatInt(file.ID, 10))
	if c.TellVersion(w, file.Version); c.TellsVersion() {
		w.Plain("url", c.Service.Base.Public(c.Request, c.Tenant, address.File(file)))
	}
	return nil
}

// setContent gives a file other content. The same content again may repair what is damaged.
func setContent(a *call.Actor, tx store.Writer, old, file store.File) (version int64, err error) {
	if file.Version = 0; file.Size == old.Size && file.SHA256 == old.SHA256 {
		file.Version = old.Version
		if err := tx.DropContent(old.Content); err != nil {
			return 0, err
		}
	}
	return tx.SetContent(old.ID, file, a.By())
}

// mayHoldFile checks that a directory exists and contains no directory of a name, that the
// condition holds, and that the quota has room for the content. It returns the file of that name,
// and stands if the condition does not hold but the file has this content.
func mayHoldFile(c *call.Call, tx store.Reader, parent int64, name string, o call.Condition) (old store.File, stands bool, err error) {
	if err := checkDir(&c.Actor, tx, parent); err != nil {
		return old, false, err
	}
	d, err := tx.DirByName(c.Tenant.ID, parent, name)
	if err == nil {
		return old, false, answer.Invalid("The directory %d has this name.", d.ID)
	}
	if !store.IsNotFound(err) {
		return old, false, err
	}
	old, err = tx.FileByName(c.Tenant.ID, parent, name)
	if err := store.IgnoreNotFound(err); err != nil {
		return old, false, err
	}
	if err := o.Judge(old.ID, old.Version); err != nil {
		if sent := c.Upload.Measured(); old.ID != 0 && sent.Size == old.Size && sent.SHA256 == old.SHA256 {
			return old, true, nil
		}
		return old, false, err
	}
	left, err := mediaRoom(&c.Actor, tx, c.Upload.Size, old.Size)
	c.TellRoom(left)
	return old, false, err
}

// standingFile is the standingContent of UploadFile.
func standingFile(c *call.Call, o call.Condition) (refused error, bytes int64, err error) {
	err = c.Read(func(tx store.Reader) error {
		parent, name, err := readMediaPlace(c)
		if err != nil {
			return nil // they may follow the content
		}
		old, err := tx.FileByName(c.Tenant.ID, parent, name)
		if refused, bytes = o.Judge(old.ID, old.Version), old.Size; old.ID == 0 {
			bytes = -1
		}
		return store.IgnoreNotFound(err)
	})
	return refused, bytes, err
}
