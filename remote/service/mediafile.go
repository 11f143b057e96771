package service

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"paperfs/remote/service/store"
)

// serveMedia answers the public address of a media file. What tenants upload
// must not act in the name of this host: no sniffing, and a sandbox.
func (s *Service) serveMedia(l *requestLog, r *http.Request, address string) {
	if !mayRead(l, r, false) {
		return
	}
	file, content, err := s.openMedia(r, address)
	if isNone(err) {
		notFound(l)
		return
	}
	if err != nil {
		s.log.Error("media file not served", "request", l.number, "error", err)
		plainError(l, http.StatusInternalServerError, "The file cannot be read now.")
		return
	}
	defer content.Close()
	if !mayRead(l, r, true) {
		return
	}
	kind := mime.TypeByExtension(path.Ext(file.Name))
	if kind == "" {
		kind = "application/octet-stream"
	}
	h := l.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Security-Policy", "sandbox")
	h.Set("ETag", `"`+hex.EncodeToString(file.SHA256[:])+`"`)
	h.Set("Cache-Control", "no-cache") // the content behind an address may be replaced
	http.ServeContent(l, r, "", time.Time{}, content)
}

// openMedia finds the file and opens its content. A file that is overwritten
// between the two steps is looked up again.
func (s *Service) openMedia(r *http.Request, address string) (store.File, io.ReadSeekCloser, error) {
	number, name, _ := strings.Cut(strings.TrimPrefix(address, mediaPath), "/")
	id, err := strconv.ParseInt(number, 10, 32)
	if err != nil {
		return store.File{}, nil, store.ErrNotFound
	}
	var file store.File
	for {
		before := file.Content
		err := s.store.Read(r.Context(), func(tx store.Reader) error {
			tenant, err := tx.TenantByHost(hostName(r.Host))
			if err != nil {
				return err
			}
			if file, err = tx.File(tenant.ID, id); err == nil && file.Content == "" {
				file.Small, err = tx.SmallContent(id)
			}
			return err
		})
		if err == nil && !strings.EqualFold(file.Name, name) {
			err = store.ErrNotFound
		}
		if err != nil {
			return file, nil, err
		}
		if file.Content == "" {
			return file, smallContent{bytes.NewReader(file.Small)}, nil
		}
		content, err := s.contents.Open(file.Content)
		if isNone(err) && file.Content != before {
			continue
		}
		return file, content, lost(err)
	}
}

// lost makes another failure of content that is not there although its record
// is: that is no answer to give a caller as if all were well.
func lost(err error) error {
	if isNone(err) {
		return fmt.Errorf("a record names what is not there (paperfs admin check tells more): %v", err)
	}
	return err
}

// smallContent is content that was read whole.
type smallContent struct{ *bytes.Reader }

func (smallContent) Close() error { return nil }
