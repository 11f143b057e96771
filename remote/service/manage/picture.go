package manage

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/boombuler/barcode/qr"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
)

// showPicture answers with a picture of the paper that the query names: its address as a QR code, or a page, the first
// unless the query says which, which the reader serves: this page may show any paper of its tenant.
func (v *visit) showPicture(code bool) {
	query, kind := v.r.URL.Query(), "Thumb"
	if query.Has("large") {
		kind = "Normal"
	}
	id, _ := rules.ID(query.Get("paper"))
	var public string
	r := v.r.Clone(v.r.Context())
	if !v.read(func(tx store.Reader) error {
		n, err := tx.Node(v.caller.Tenant.ID, id)
		if err != nil || n.Kind != remote.PaperNode {
			return store.ErrNotFound
		}
		path, err := address.Node(tx, v.caller.Tenant, id)
		if err != nil {
			return err
		}
		if public, err = v.public(tx, path); err != nil || code {
			return err
		}
		covers, err := tx.Covers([]int64{id})
		page := covers[id]
		if number := query.Get("page"); number != "" && err == nil {
			err = tx.Pages(id, false, func(p store.Page) error {
				if strconv.Itoa(p.Number) == number {
					page = p
				}
				return nil
			})
		}
		for _, image := range page.Images {
			if image.Type == kind && image.Bytes > 0 {
				signed := strings.TrimPrefix(v.Images.Query(id, page.ID, kind, v.Images.Expiry(time.Time{})), "?")
				r.URL = &url.URL{Scheme: r.URL.Scheme, Path: path + address.ImageFile, RawQuery: signed}
				return nil
			}
		}
		return cmp.Or(err, store.ErrNotFound)
	}) {
		return
	}
	if code {
		v.showQR(public)
	} else {
		v.Reader.Serve(v.l, r, r.URL.Path, v.Log.With("request", v.l.Number))
	}
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

func (v *visit) showQR(text string) {
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil { // the address is longer than a code can be
		answer.NotFound(v.l)
		return
	}
	size := code.Bounds().Dx()
	var path strings.Builder
	for at := range size * size {
		if dark, _, _, _ := code.At(at%size, at/size).RGBA(); dark == 0 {
			fmt.Fprintf(&path, "M%d %dh1v1h-1z", at%size+quiet, at/size+quiet)
		}
	}
	v.l.Header().Set("Content-Type", "image/svg+xml")
	v.l.WriteHeader(http.StatusOK)
	fmt.Fprintf(v.l, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[1]d" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h%[1]dv%[1]dH0z"/><path d="%[2]s"/></svg>`, size+2*quiet, path.String())
}
