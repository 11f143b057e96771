package document

import (
	"fmt"
	"unicode/utf8"

	"paperfs/remote/xmlscan"
)

// checkText rejects text that XML 1.0 cannot represent. No answer of the service could
// contain it, so the service refuses it with ERROR (contract, 2.2).
func checkText(what, text string) error {
	switch {
	case !utf8.ValidString(text):
		return fmt.Errorf("%w: %s is not valid UTF-8", ErrInvalid, what)
	case !xmlscan.Carries(text):
		return fmt.Errorf("%w: %s contains a control character", ErrInvalid, what)
	}
	return nil
}
