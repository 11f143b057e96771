package manage

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/boombuler/barcode/qr"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
)

// showCover answers with the picture of a paper's first page, of the type that is asked for. The reader serves it: this page
// may show any paper of the tenant.
func (v *visit) showCover() {
	query := v.r.URL.Query()
	kind := "Thumb"
	if query.Has("large") {
		kind = "Normal"
	}
	r := v.r.Clone(v.r.Context())
	r.URL = &url.URL{Scheme: v.r.URL.Scheme}
	_, err := v.paperAt(func(tx store.Reader, id int64, path string) error {
		covers, err := tx.Covers([]int64{id})
		if err != nil {
			return err
		}
		for _, image := range covers[id].Images {
			if image.Type == kind && image.Bytes > 0 {
				r.URL.Path, r.URL.RawQuery = path+address.ImageFile, strings.TrimPrefix(v.Images.Query(id, covers[id].ID, kind, v.Images.Expiry(time.Time{})), "?")
				return nil
			}
		}
		return store.ErrNotFound
	})
	switch {
	case store.IsNotFound(err):
		answer.NotFound(v.l)
	case err != nil:
		v.failed(err)
	default:
		v.Reader.Serve(v.l, r, r.URL.Path, v.Log.With("request", v.l.Number))
	}
}

// paperAt finds the paper that the address of a picture names, and returns its public address.
func (v *visit) paperAt(look func(tx store.Reader, id int64, path string) error) (public string, err error) {
	id, _ := rules.ID(v.r.URL.Query().Get("paper"))
	err = v.Store.Read(v.r.Context(), func(tx store.Reader) error {
		n, err := tx.Node(v.caller.Tenant.ID, id)
		if err == nil && n.Kind != remote.PaperNode {
			err = store.ErrNotFound
		}
		if err != nil {
			return err
		}
		path, err := address.Node(tx, v.caller.Tenant, id)
		if err != nil {
			return err
		}
		if public, err = v.public(tx, path); err != nil {
			return err
		}
		return look(tx, id, path)
	})
	return public, err
}

// public is the address at which readers find a path. A host that has the page alone shows no papers.
func (v *visit) public(tx store.Reader, path string) (string, error) {
	r := *v.r
	if v.Only(v.r) {
		t, err := tx.TenantByName(v.caller.Tenant.Name)
		if err != nil {
			return "", err
		}
		for _, host := range t.Hosts {
			if r.Host = host; !v.Only(&r) {
				break
			}
		}
	}
	return v.Base.Public(&r, v.caller.Tenant, path), nil
}

// quiet is the border around a QR code, in modules.
const quiet = 4

// showQR answers with the public address of a paper as a QR code.
func (v *visit) showQR() {
	public, err := v.paperAt(func(store.Reader, int64, string) error { return nil })
	if store.IsNotFound(err) {
		answer.NotFound(v.l)
		return
	}
	if err != nil {
		v.failed(err)
		return
	}
	code, err := qr.Encode(public, qr.M, qr.Auto)
	if err != nil { // the address is longer than a code can be
		answer.NotFound(v.l)
		return
	}
	size := code.Bounds().Dx()
	var path strings.Builder
	for y := range size {
		for x := range size {
			if dark, _, _, _ := code.At(x, y).RGBA(); dark == 0 {
				fmt.Fprintf(&path, "M%d %dh1v1h-1z", x+quiet, y+quiet)
			}
		}
	}
	v.l.Header().Set("Content-Type", "image/svg+xml")
	v.l.WriteHeader(http.StatusOK)
	fmt.Fprintf(v.l, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[1]d" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h%[1]dv%[1]dH0z"/><path d="%[2]s"/></svg>`, size+2*quiet, path.String())
}
