package answer

import (
	"fmt"
	"net/http"
)

// NotFound writes a 404 page.
func NotFound(w http.ResponseWriter) {
	if isJSON(w) {
		Error(w, http.StatusNotFound, "There is nothing at this address.")
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusNotFound)
	fmt.Fprint(w, "<!DOCTYPE html>\n<title>Not found</title>\n<h1>Not found</h1>\n<p>There is nothing at this address.</p>\n")
}

// Error writes a failure outside the envelope in the platform's form: one line that ends in CRLF. It is a JSON object
// where the answer was to be JSON, by its Content-Type.
func Error(w http.ResponseWriter, status int, line string) {
	if isJSON(w) {
		w.Header().Set("Cache-Control", "private")
		w.WriteHeader(status)
		fmt.Fprintf(w, "{\"error\":\"%s\"}\n", AppendJSON(nil, []byte(line)))
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "private")
	w.WriteHeader(status)
	fmt.Fprint(w, line+"\r\n")
}

func isJSON(w http.ResponseWriter) bool { return w.Header().Get("Content-Type") == JSONType }

// MayRead reports whether the method is allowed at an address that is not an operation. It
// answers any method except GET and HEAD with 405. A POST is allowed where found is false:
// the caller answers it with 404.
func MayRead(w http.ResponseWriter, r *http.Request, found bool) bool {
	if r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodPost && !found {
		return true
	}
	w.Header().Set("Allow", "GET, HEAD")
	Error(w, http.StatusMethodNotAllowed, "Only GET and HEAD.")
	return false
}

// RetryAfter is how many seconds clients should wait before they retry while an engine of the
// service is unavailable.
const RetryAfter = "5"

// Failure is an error whose answer has no envelope (contract, 1.8).
type Failure struct {
	Status int
	Line   string
	Header http.Header // additional headers; nil for none
}

func (f *Failure) Error() string { return f.Line }

// Answer writes the failure.
func (f *Failure) Answer(w http.ResponseWriter) {
	for name, values := range f.Header {
		w.Header()[name] = values
	}
	Error(w, f.Status, f.Line)
}
