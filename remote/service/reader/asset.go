package reader

import (
	"net/http"

	"paperfs/remote/service/negotiate"
	"paperfs/remote/service/plain"
	"paperfs/remote/service/reader/view"
)

// serveAsset answers the address of a script or style, which has another address
// when it changes.
func serveAsset(w http.ResponseWriter, r *http.Request, file view.File) {
	if !plain.MayRead(w, r, true) {
		return
	}
	h := w.Header()
	h.Set("Content-Type", file.Type)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Vary", "Accept-Encoding")
	content := file.Content
	if negotiate.AcceptsGzip(r) {
		h.Set("Content-Encoding", "gzip")
		content = file.Zipped
	}
	_, _ = w.Write(content) // the client may be gone
}
