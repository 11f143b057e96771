package reader

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
)

// readForm reads the form in a request's body. It refuses a body of more than most bytes.
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
	var slow *answer.Failure
	if errors.As(err, &slow) {
		return nil, err
	}
	if err != nil { // the client did not send the whole body
		return nil, &refusal{status: http.StatusBadRequest}
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, &refusal{status: http.StatusUnprocessableEntity}
	}
	return form, nil
}

// sameSite reports whether a page of this service sent the request: other sites must not
// place orders for their visitors.
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
