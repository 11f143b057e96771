package document

import (
	"fmt"
	"strconv"
	"strings"
)

// PDFOptions returns the xmlOptions that a PDF of a paper is sent with: those of SetPDFOptions, or else of Options.
func (c *Cache) PDFOptions(paper int64) (string, error) {
	own, _, err := c.state.Value(optionsKey(paper))
	if own == "" {
		own = c.options
	}
	return own, err
}

// SetPDFOptions sets the xmlOptions of the PDFs of a paper that are sent from now on, also by later mounts. An empty text is for those
// of Options. It returns ErrInvalid for options with which no PDF could be processed.
func (c *Cache) SetPDFOptions(paper int64, text string) error {
	if text = strings.TrimSpace(text); text != "" && c.checkOptions != nil {
		if err := c.checkOptions(text); err != nil {
			return fmt.Errorf("%w: %w", ErrInvalid, err)
		}
	}
	return c.state.SetValue(optionsKey(paper), text)
}

func optionsKey(paper int64) string { return "pdf-options " + strconv.FormatInt(paper, 10) }
