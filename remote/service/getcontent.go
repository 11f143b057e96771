package service

import (
	"encoding/hex"

	"paperfs/remote/service/answer"
	"paperfs/remote/service/fault"
	"paperfs/remote/service/reader"
	"paperfs/remote/service/store"
)

// getContent sends the bytes of a media file as they are, of an earlier version for a day. Its type
// tells them from a failure, whatever the file is.
func getContent(c *call, _ *answer.Writer) error {
	id, err := c.id("fileID")
	if err != nil {
		return err
	}
	if c.soap != nil {
		return fault.Invalid("GetContent answers with the bytes themselves: call it by GET or POST.")
	}
	wanted, err := c.version("version")
	if err != nil {
		return err
	}
	file, content, err := c.service.reader.OpenFile(c.ctx(), func(tx store.Reader) (store.File, error) {
		file, err := tx.File(c.tenant.ID, id)
		if wanted != nil && (store.IsNotFound(err) || err == nil && file.Version != *wanted) {
			return tx.PastFile(c.tenant.ID, id, *wanted)
		}
		if err == nil && file.Content == "" {
			file.Small, err = tx.SmallContent(id)
		}
		return file, err
	})
	if store.IsNotFound(err) {
		return fault.Invalid("There is no media file %d, or no such version of it any more.", id)
	}
	if err != nil {
		return err
	}
	defer content.Close()
	h := c.reply.w.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("ETag", `"`+hex.EncodeToString(file.SHA256[:])+`"`)
	c.reply.started, c.reply.replayed = true, true
	reader.ServeFile(c.reply.w, c.request, content)
	return nil
}
