package service

import (
	"encoding/hex"

	"paperfs/remote"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/reader"
	"paperfs/remote/service/store"
)

// getContent sends the bytes of a media file as they are, or of an earlier version that is kept. Its type
// tells them from a failure, whatever the file is.
func getContent(c *call, _ *answer.Writer) error {
	if c.soap != nil {
		return answer.Invalid("GetContent answers with the bytes themselves: call it by GET or POST.")
	}
	find, err := c.findContent()
	if err != nil {
		return err
	}
	file, content, err := c.service.reader.OpenFile(c.ctx(), find)
	if store.IsNotFound(err) {
		return answer.Invalid("There is no such media file, or no such version or entry any more.")
	}
	if err != nil {
		return err
	}
	defer content.Close()
	h := c.reply.w.Header()
	h.Set("Content-Type", "application/octet-stream")
	if file.SHA256 != [32]byte{} { // that of a PDF is not known
		h.Set("ETag", `"`+hex.EncodeToString(file.SHA256[:])+`"`)
	}
	c.reply.started, c.reply.replayed = true, true
	reader.ServeFile(c.reply.w, c.request, content)
	return nil
}

// findContent returns how to find what the parameters name.
func (c *call) findContent() (func(tx store.Reader) (store.File, error), error) {
	if c.param("entryID") != "" {
		entry, err := c.entryID()
		if err == nil && c.account.Role < remote.Editor {
			err = answer.Refuse(remote.LoginSecurityViolation, "This account may not read what was deleted or replaced.")
		}
		return func(tx store.Reader) (store.File, error) {
			k, err := tx.Kept(c.tenant.ID, entry)
			if err == nil && k.Kind != store.KeptFile && k.Kind != store.KeptPDF {
				err = store.ErrNotFound
			}
			return k.File, err
		}, err
	}
	id, err := c.id("fileID")
	if err != nil {
		return nil, err
	}
	wanted, err := c.version("version")
	return func(tx store.Reader) (store.File, error) {
		file, err := tx.File(c.tenant.ID, id)
		if wanted != nil && (store.IsNotFound(err) || err == nil && file.Version != *wanted) {
			return tx.PastFile(c.tenant.ID, id, *wanted)
		}
		if err == nil && file.Content == "" {
			file.Small, err = tx.SmallContent(id)
		}
		return file, err
	}, err
}
