package config

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/service/processing"
)

func (c *Config) checkPDFOptions() error {
	if strings.TrimSpace(c.PDFOptions) == "" {
		return nil
	}
	if err := c.CheckOptions(c.PDFOptions); err != nil {
		return &cli.UsageError{Err: fmt.Errorf("%s: %w", c.NameOf("pdf_options"), err)}
	}
	return nil
}

// CheckOptions refuses options with which no PDF could be processed. It does not check the content of options for
// another service. No error has the text, which may have a password.
func (c *Config) CheckOptions(text string) error {
	var d struct {
		XMLName xml.Name `xml:"options"`
	}
	x := xml.NewDecoder(strings.NewReader(text))
	x.CharsetReader = func(_ string, text io.Reader) (io.Reader, error) { return text, nil } // the service may know more charsets
	err := x.Decode(&d)
	if err != nil {
		return errors.New("give an XML document with the root options, such as <options><import-bookmarks>true</import-bookmarks></options>")
	}
	if !c.Embedded() {
		return nil
	}
	if err = processing.CheckOptions(text); err != nil {
		return fmt.Errorf("%w (paperfs help pdf lists the elements)", err)
	}
	return nil
}

// EffectivePDFOptions returns the options with which a PDF is sent. On another service links from the PDF would replace
// manual edits.
func (c *Config) EffectivePDFOptions() string {
	if c.PDFOptions == "" && c.Embedded() {
		return processing.WithLinks
	}
	return c.PDFOptions
}
