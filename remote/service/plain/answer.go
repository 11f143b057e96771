// Package plain answers outside of the envelope: what is not there, what failed
// before an operation was found, and which methods an address takes.
package plain

import (
	"fmt"
	"net/http"
)

// NotFound answers an address at which there is nothing.
func NotFound(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusNotFound)
	fmt.Fprint(w, "<!DOCTYPE html>\n<title>Not found</title>\n<h1>Not found</h1>\n<p>There is nothing at this address.</p>\n")
}

// Error is the platform's form of a failure outside the envelope: one line that
// ends in CRLF.
func Error(w http.ResponseWriter, status int, line string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "private")
	w.WriteHeader(status)
	fmt.Fprint(w, line+"\r\n")
}

// MayRead refuses all methods but GET and HEAD at an address outside the
// operations, with 405. A POST to an address that is not there is 404: it is
// refused when it is known that there is something (found).
func MayRead(w http.ResponseWriter, r *http.Request, found bool) bool {
	if r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodPost && !found {
		return true
	}
	w.Header().Set("Allow", "GET, HEAD")
	Error(w, http.StatusMethodNotAllowed, "Only GET and HEAD.")
	return false
}

// RetryAfter is how many seconds a client waits before it asks again, where an engine
// of the service cannot be reached.
const RetryAfter = "5"

// Failure is an error that is answered outside the envelope (contract, 1.8).
type Failure struct {
	Status int
	Line   string
	Header http.Header // what the answer has besides; nil for nothing
}

func (f *Failure) Error() string { return f.Line }

// Answer answers with the failure.
func (f *Failure) Answer(w http.ResponseWriter) {
	for name, values := range f.Header {
		w.Header()[name] = values
	}
	Error(w, f.Status, f.Line)
}
