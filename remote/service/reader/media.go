package reader

import (
	"bytes"
	"encoding/hex"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"

	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/fault"
	"paperfs/remote/service/store"
)

// serveMedia serves a media file at its public address. Tenants' content must not act as
// this host, so it is sandboxed and browsers must not sniff its type.
func (s *Reader) serveMedia(w http.ResponseWriter, r *http.Request, at string, log *slog.Logger) {
	file, content, err := s.openMedia(r, at)
	if store.IsNotFound(err) {
		fault.NotFound(w)
		return
	}
	if err != nil {
		failed(w, r, err, log, "media file not served", "The file cannot be read now.")
		return
	}
	defer content.Close()
	if !fault.MayRead(w, r, true) {
		return
	}
	kind := mime.TypeByExtension(path.Ext(file.Name))
	if kind == "" {
		kind = "application/octet-stream"
	}
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Security-Policy", "sandbox")
	h.Set("ETag", `"`+hex.EncodeToString(file.SHA256[:])+`"`)
	h.Set("Cache-Control", "no-cache") // the content of an address may be replaced
	serveFile(w, r, content)
}

// openMedia finds the file and opens its content. If the file is overwritten between the two
// steps, openMedia looks it up again.
func (s *Reader) openMedia(r *http.Request, at string) (store.File, io.ReadSeekCloser, error) {
	number, name, _ := strings.Cut(strings.TrimPrefix(at, address.MediaPath), "/")
	id, err := strconv.ParseInt(number, 10, 32)
	if err != nil {
		return store.File{}, nil, store.ErrNotFound
	}
	var file store.File
	for {
		before := file.Content
		err := s.Store.Read(r.Context(), func(tx store.Reader) error {
			tenant, err := tx.TenantByHost(address.Host(r.Host))
			if err != nil {
				return err
			}
			if file, err = tx.File(tenant.ID, id); err == nil && file.Content == "" {
				file.Small, err = tx.SmallContent(id)
			}
			return err
		})
		if err == nil && !rules.Same(file.Name, name) {
			err = store.ErrNotFound
		}
		if err != nil {
			return file, nil, err
		}
		if file.Content == "" {
			return file, smallContent{bytes.NewReader(file.Small)}, nil
		}
		content, err := s.Contents.Open(r.Context(), file.Content, 0, file.Size)
		if store.IsNotFound(err) && file.Content != before {
			continue
		}
		return file, content, store.Lost(err)
	}
}

// smallContent is content that the store keeps itself, read as a whole.
type smallContent struct{ *bytes.Reader }

func (smallContent) Close() error { return nil }
