package reader

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"net/http"
	"strings"

	"paperfs/remote/service/address"
	"paperfs/remote/service/reader/view"
	"paperfs/remote/service/store"
)

// FileAt finds the media file at a path, as the settings logo and favicon have it.
func FileAt(tx store.Reader, tenant int64, path string) (store.File, error) {
	var dir int64
	for {
		name, rest, below := strings.Cut(path, "/")
		if !below {
			return tx.FileByName(tenant, dir, name)
		}
		d, err := tx.DirByName(tenant, dir, name)
		if err != nil {
			return store.File{}, err
		}
		dir, path = d.ID, rest
	}
}

// IsPicture reports whether content begins as a picture that browsers show.
func IsPicture(content io.Reader) (bool, error) {
	head := make([]byte, 1024)
	n, err := io.ReadFull(content, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, err
	}
	head = head[:n]
	return strings.HasPrefix(http.DetectContentType(head), "image/") || bytes.Contains(head, []byte("<svg")), nil
}

// brand sets what the publisher's settings make of a page. A picture that has been deleted or moved is left out.
func brand(f *view.Frame, conf *settings, tenant store.Tenant) error {
	f.Accent, f.Stage, f.Description = conf.text("accentColor"), conf.text("stage"), conf.text("description")
	for _, p := range []struct {
		setting string
		at      *string
	}{{"logo", &f.Logo}, {"favicon", &f.Favicon}} {
		path := conf.text(p.setting)
		if path == "" {
			continue
		}
		file, err := FileAt(conf.tx, tenant.ID, path)
		switch {
		case err == nil:
			*p.at = strings.TrimPrefix(escaped(address.File(file)), "/")
		case !store.IsNotFound(err):
			return err
		}
	}
	f.Favicon = cmp.Or(f.Favicon, f.Logo)
	return nil
}
