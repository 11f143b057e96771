package host

import (
	"net"
	"net/http"

	"paperfs/remote/service/address"
)

// ownNames refuses requests to other names than those of a listener on
// loopback: by DNS rebinding, a page from elsewhere reaches it under a name of
// its own. Nothing reaches a socket in that way, and a client that tells no
// name is no browser.
func ownNames(listener net.Addr, h http.Handler) http.Handler {
	if listener.Network() == "unix" {
		return h
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host != "" && !address.IsLoopback(r.Host) {
			http.Error(w, "Only localhost and loopback addresses are answered here.", http.StatusMisdirectedRequest)
			return
		}
		h.ServeHTTP(w, r)
	})
}
