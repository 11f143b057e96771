package pdf

import (
	"fmt"
	"strings"
)

// Failure is the reason why a PDF cannot be processed, in words for people.
// Another attempt would fail in the same way.
type Failure struct{ Reason string }

func (f *Failure) Error() string { return f.Reason }

// words describes an error of PDFium in one line. PDFium ends with a WebAssembly
// trap if it runs out of memory or if a damaged document makes it crash.
func words(err error) string {
	if gaveUp(err) {
		return "PDFium gave up, because the PDF is damaged or needs more memory than the limit allows"
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// gaveUp reports whether PDFium can do no more.
func gaveUp(err error) bool { return strings.Contains(err.Error(), "wasm error") }

func failf(format string, args ...any) *Failure { return &Failure{fmt.Sprintf(format, args...)} }

// got returns what PDFium answers; if it fails, the zero value, where that says enough.
func got[T any](answer *T, err error) (t T) {
	if err == nil && answer != nil {
		t = *answer
	}
	return t
}
