package reader

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"paperfs/remote/service/plain"
	"paperfs/remote/service/store"
)

// readForm reads the body of a request, of so many bytes at the most, or refuses it.
func readForm(w http.ResponseWriter, r *http.Request, most int64) (url.Values, error) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/x-www-form-urlencoded" {
		return nil, &refusal{status: http.StatusUnsupportedMediaType}
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return nil, &refusal{status: http.StatusRequestEntityTooLarge}
	}
	var slow *plain.Failure
	if errors.As(err, &slow) {
		return nil, err
	}
	if err != nil { // the client did not send it all
		return nil, &refusal{status: http.StatusBadRequest}
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, &refusal{status: http.StatusUnprocessableEntity}
	}
	return form, nil
}

// sameSite reports whether a page of this service sent a request: another site must
// not order in the name of its visitors.
func sameSite(r *http.Request, tenant store.Tenant) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" {
		return site == "same-origin"
	}
	origin, err := url.Parse(r.Header.Get("Origin"))
	if err != nil || origin.Host == "" {
		return false
	}
	public, err := url.Parse(tenant.PublicURL)
	return strings.EqualFold(origin.Host, r.Host) || err == nil && public.Host != "" && strings.EqualFold(origin.Host, public.Host)
}
