package reader

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"

	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
)

// serveMedia serves a media file at its public address, and leads there from earlier names of it.
// Tenants' content must not act as this host, so it is sandboxed and browsers must not sniff its type.
func (s *Reader) serveMedia(w http.ResponseWriter, r *http.Request, at string, log *slog.Logger) {
	file, content, err := s.openMedia(r, at)
	if named, ok := errors.AsType[*otherName](err); ok {
		if answer.MayRead(w, r, true) {
			w.Header().Set("Cache-Control", "no-cache") // its name may change again
			w.Header().Set("Location", named.address)
			w.WriteHeader(http.StatusMovedPermanently)
		}
		return
	}
	if store.IsNotFound(err) {
		answer.NotFound(w)
		return
	}
	if err != nil {
		failed(w, r, err, log, "media file not served", "The file cannot be read now.")
		return
	}
	defer content.Close()
	if !answer.MayRead(w, r, true) {
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
	ServeFile(w, r, content)
}

// otherName is the failure of an address that has not the name of its file.
type otherName struct{ address string }

func (n *otherName) Error() string { return "the media file has the address " + n.address }

// openMedia opens the file at an address.
func (s *Reader) openMedia(r *http.Request, at string) (store.File, io.ReadSeekCloser, error) {
	number, name, _ := strings.Cut(strings.TrimPrefix(at, address.MediaPath), "/")
	id, err := strconv.ParseInt(number, 10, 32)
	if err != nil {
		return store.File{}, nil, store.ErrNotFound
	}
	return s.OpenFile(r.Context(), func(tx store.Reader) (file store.File, err error) {
		host := address.Host(r.Host)
		if file, err = tx.FileOfHost(host, id); err == nil && !rules.Same(file.Name, name) {
			var tenant store.Tenant
			if tenant, err = tx.TenantByHost(host); err == nil {
				err = &otherName{s.Base.Public(r, tenant, address.File(file))}
			}
		}
		if err == nil && file.Content == "" {
			file.Small, err = tx.SmallContent(id)
		}
		return file, err
	})
}

// OpenFile finds a file, with its content if that is small, and opens its content. If the content is
// replaced between the two steps, OpenFile looks the file up again.
func (s *Reader) OpenFile(ctx context.Context, find func(tx store.Reader) (store.File, error)) (file store.File, _ io.ReadSeekCloser, err error) {
	for {
		before := file.Content
		err = s.Store.Read(ctx, func(tx store.Reader) (err error) {
			file, err = find(tx)
			return err
		})
		if err != nil {
			return file, nil, err
		}
		if file.Content == "" {
			return file, smallContent{bytes.NewReader(file.Small)}, nil
		}
		content, err := s.Contents.Open(ctx, file.Content, 0, file.Size)
		if store.IsNotFound(err) && file.Content != before {
			continue
		}
		return file, content, store.Lost(err)
	}
}

// smallContent is content that the store keeps itself, read as a whole.
type smallContent struct{ *bytes.Reader }

func (smallContent) Close() error { return nil }
