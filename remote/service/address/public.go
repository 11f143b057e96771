package address

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"paperfs/remote/rules"
	"paperfs/remote/service/store"
)

// Base is the path before all addresses of a service, with a slash at its begin and
// none at its end; "" for none.
type Base string

// NewBase reads a path, with or without slashes at its ends.
func NewBase(path string) Base {
	if path = strings.Trim(path, "/"); path == "" {
		return ""
	}
	return Base("/" + path)
}

// Cut is a request's path below the base. A slash too many before or after the
// base is what a client makes of an address that ends in one.
func (b Base) Cut(path string) (string, bool) {
	path, ok := rules.CutPrefix("/"+strings.TrimLeft(path, "/"), string(b))
	switch {
	case !ok:
		return "", false
	case path == "": // the base without its slash
		return "", true
	case path[0] != '/':
		return "", false
	}
	return "/" + strings.TrimLeft(path, "/"), true
}

// Public makes an address for an answer from a path that begins with a slash
// and is not escaped: below the tenant's public URL, else below the address that
// the request came to.
func (b Base) Public(r *http.Request, tenant store.Tenant, path string) string {
	escaped := (&url.URL{Path: path}).EscapedPath()
	if tenant.PublicURL != "" {
		return strings.TrimSuffix(tenant.PublicURL, "/") + escaped
	}
	scheme := "http://"
	if r.TLS != nil && r.URL.Scheme == "" || r.URL.Scheme == "https" { // the latter by a proxy
		scheme = "https://"
	}
	return scheme + r.Host + (&url.URL{Path: string(b)}).EscapedPath() + escaped
}

// MediaPath begins the address of every media file. Node addresses end with a
// slash and those of files never do, so a category may be called media.
const MediaPath = "/media/"

// File is the path of a media file.
func File(f store.File) string {
	return MediaPath + strconv.FormatInt(f.ID, 10) + "/" + f.Name
}
