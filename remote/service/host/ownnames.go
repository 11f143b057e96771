package host

import (
	"net"
	"net/http"

	"paperfs/remote/service/address"
)

// ownNames rejects requests for host names other than those of a loopback listener: with DNS
// rebinding, a web page elsewhere could reach the listener under a name of its own. Sockets
// cannot be reached that way, and a client that sends no host name is not a browser.
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
