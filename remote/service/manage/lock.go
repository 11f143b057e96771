package manage

import (
	"net/http"
	"slices"
	"strings"

	"paperfs/remote/rules"
	"paperfs/remote/service/address"
)

// policy lets a document load what is of this origin, and nothing frame it; a script that writes markup is refused.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
	"frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// lock sets the headers that every answer of the page has.
func lock(h http.Header) {
	for name, value := range map[string]string{
		"Cache-Control": "no-store", "Content-Security-Policy": policy, "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
		"Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY", "X-Robots-Tag": "noindex",
	} {
		h.Set(name, value)
	}
}

// https reports whether the browser speaks HTTPS, with the service or with a proxy that it trusts.
func https(r *http.Request) bool {
	return r.TLS != nil && r.URL.Scheme == "" || r.URL.Scheme == "https"
}

// origin is that of the page's documents.
func origin(r *http.Request) string {
	if https(r) {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// secure reports whether nobody between the browser and the service can read the cookie: the host name of plain HTTP is that of
// the browser's own machine.
func secure(r *http.Request) bool { return https(r) || address.IsLoopback(r.Host) }

// sameOrigin reports whether a document of this origin sent the request. A browser says so itself. Hosts of other tenants can be
// of the same site, so that is not enough. Origin is null where a document tells no address, as this page does in its forms.
func (v *visit) sameOrigin() bool {
	site, origins := v.r.Header.Values("Sec-Fetch-Site"), v.r.Header.Values("Origin")
	if len(site) > 1 || len(origins) != 1 {
		return false
	}
	own := strings.EqualFold(origins[0], origin(v.r))
	if len(site) == 0 { // an older browser
		return own
	}
	return site[0] == "same-origin" && (own || origins[0] == "null")
}

// Has reports whether a request is the page's: by its path below the base, or by a host that has nothing else.
func (p *Page) Has(r *http.Request, path string) bool {
	if p.Options.NoExtended {
		return false
	}
	_, ours := rules.CutPrefix(path+"/", Path)
	return ours && len(p.Options.ManageHosts) == 0 || p.Only(r)
}

// Only reports whether a request is for a host that has the page alone.
func (p *Page) Only(r *http.Request) bool {
	return slices.Contains(p.Options.ManageHosts, address.Host(r.Host))
}
