package pdf

import (
	"fmt"
	"strings"
)

// Failure is the reason why a PDF could not be processed, in words for people.
// Trying again would end the same way.
type Failure struct{ Reason string }

func (f *Failure) Error() string { return f.Reason }

// words tells an error of PDFium in one line. It ends with a trap where its
// memory is used up, and where a document has led it astray.
func words(err error) string {
	if strings.Contains(err.Error(), "wasm error") {
		return "PDFium gave up, because the PDF is damaged or needs more memory than the limit allows"
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

func failf(format string, args ...any) *Failure { return &Failure{fmt.Sprintf(format, args...)} }
