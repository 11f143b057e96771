package reader

import (
	"net/http"

	"paperfs/remote/service/answer"
	"paperfs/remote/service/reader/view"
)

// ServeAsset serves a script or style. Its address contains a hash of the content, so
// clients cache it for ever.
func ServeAsset(w http.ResponseWriter, r *http.Request, file view.File) {
	if !answer.MayRead(w, r, true) {
		return
	}
	h := w.Header()
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Vary", varies)
	tag := `W/"` + file.Name + `"` // the name contains the content's hash
	h.Set("ETag", tag)
	if answer.MatchesTag(r.Header.Values("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", file.Type)
	content := file.Content
	if answer.AcceptsGzip(r) {
		h.Set("Content-Encoding", "gzip")
		content = file.Zipped
	}
	_, _ = w.Write(content) // the client may have disconnected
}
