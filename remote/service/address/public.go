package address

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"paperfs/remote/rules"
	"paperfs/remote/service/store"
)

// Base is the path prefix of all addresses of a service, with a leading but no trailing slash; ""
// for none.
type Base string

// NewBase returns the Base for a path with or without slashes at its ends.
func NewBase(path string) Base {
	if path = strings.Trim(path, "/"); path == "" {
		return ""
	}
	return Base("/" + path)
}

// Cut returns the path of a request below the base. It tolerates extra slashes before and after
// the base, which clients add if they join addresses that end in a slash.
func (b Base) Cut(path string) (string, bool) {
	path, ok := rules.CutPrefix("/"+strings.TrimLeft(path, "/"), string(b))
	switch {
	case !ok:
		return "", false
	case path == "": // the base without a trailing slash
		return "", true
	case path[0] != '/':
		return "", false
	}
	return "/" + strings.TrimLeft(path, "/"), true
}

// Public returns an address for an answer from an unescaped path that begins with a slash: below
// the tenant's public URL, or else below the address that the request used.
func (b Base) Public(r *http.Request, tenant store.Tenant, path string) string {
	known := b.Known(tenant, path)
	if tenant.PublicURL != "" {
		return known
	}
	scheme := "http://"
	if r.TLS != nil && r.URL.Scheme == "" || r.URL.Scheme == "https" { // set by a proxy
		scheme = "https://"
	}
	return scheme + r.Host + known
}

// Known is what of Public is known without a request: without a public URL, no scheme and host.
func (b Base) Known(tenant store.Tenant, path string) string {
	escaped := (&url.URL{Path: path}).EscapedPath()
	if tenant.PublicURL != "" {
		return strings.TrimSuffix(tenant.PublicURL, "/") + escaped
	}
	return (&url.URL{Path: string(b)}).EscapedPath() + escaped
}

// MediaPath is the prefix of all media file addresses. No node has it
// (rules.ReservedAddress).
const MediaPath = "/media/"

// File returns the path of a media file.
func File(f store.File) string {
	return MediaPath + strconv.FormatInt(f.ID, 10) + "/" + f.Name
}
