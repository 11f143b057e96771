package document

import (
	"fmt"
	"unicode/utf8"

	"paperfs/remote/xmlscan"
)

// checkText refuses what no answer of the service could carry, XML 1.0 having
// no form for it, and what it therefore refuses with ERROR (contract, 2.2).
func checkText(what, text string) error {
	switch {
	case !utf8.ValidString(text):
		return fmt.Errorf("%w: %s is not valid UTF-8", ErrInvalid, what)
	case !xmlscan.Carries(text):
		return fmt.Errorf("%w: %s contains a control character", ErrInvalid, what)
	}
	return nil
}
