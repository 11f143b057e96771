package service

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"paperfs/remote/rules"
	"paperfs/remote/service/store"
)

// nodeURL is the address of a node within its tenant.
func nodeURL(tx store.Reader, tenant store.Tenant, id int64) (string, error) {
	up, err := tx.Ancestors(id)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(tenant.RootURL)
	for i := len(up) - 2; i >= 0; i-- { // the last is the root
		b.WriteString(up[i].URLName)
		b.WriteByte('/')
	}
	return b.String(), nil
}

// findURL finds the node at an address, which begins and ends with a slash, in
// any case. store.ErrNotFound where there is none.
func findURL(tx store.Reader, tenant store.Tenant, address string) (store.Node, error) {
	rest, ok := cutPrefixFold(address, tenant.RootURL)
	if !ok {
		return store.Node{}, store.ErrNotFound
	}
	at, err := tx.Node(tenant.ID, tenant.Root)
	for rest != "" && err == nil {
		var segment string
		segment, rest, _ = strings.Cut(rest, "/")
		if !rules.Segment(segment) {
			return store.Node{}, store.ErrNotFound
		}
		at, err = tx.Child(at.ID, segment)
	}
	return at, err
}

// publicAddress makes an address for an answer from a path that begins with a
// slash and is not escaped: below the tenant's public URL, else below the
// address that the request came to.
func (s *Service) publicAddress(r *http.Request, tenant store.Tenant, path string) string {
	escaped := (&url.URL{Path: path}).EscapedPath()
	if tenant.PublicURL != "" {
		return strings.TrimSuffix(tenant.PublicURL, "/") + escaped
	}
	scheme := "http://"
	if r.TLS != nil && r.URL.Scheme == "" || r.URL.Scheme == "https" { // the latter by a proxy
		scheme = "https://"
	}
	return scheme + r.Host + (&url.URL{Path: s.base}).EscapedPath() + escaped
}

// mediaPath begins the address of every media file. Node addresses end with a
// slash and those of files never do, so a category may be called media.
const mediaPath = "/media/"

func mediaFilePath(f store.File) string {
	return mediaPath + strconv.FormatInt(f.ID, 10) + "/" + f.Name
}

// ignoreNone is for a look-up that may find nothing.
func ignoreNone(err error) error {
	if isNone(err) {
		return nil
	}
	return err
}

// isNone reports whether a look-up found nothing.
func isNone(err error) bool { return errors.Is(err, store.ErrNotFound) }
