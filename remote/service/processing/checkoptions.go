package processing

import (
	"errors"
	"fmt"

	"paperfs/remote/service/answer"
	"paperfs/remote/service/form"
	"paperfs/remote/service/pdf"
)

// CheckOptions returns what is wrong with options that a person wrote for a service with the default
// limits. Unlike the service, it refuses what the service ignores: it may be misspelt.
func CheckOptions(text string) error {
	_, err := ReadOptions(text, pdf.Limits{}.WithDefaults().Pages)
	if f, ok := errors.AsType[*answer.Fault](err); ok {
		return errors.New(f.Message)
	}
	if err != nil {
		return err
	}
	var d optionsDocument
	if err := form.ParseDocument(text, &d); err != nil {
		return err
	}
	return d.ignored()
}

// ignored returns an error for the first part of the document that the service ignores.
func (d *optionsDocument) ignored() error {
	unknown := append(d.Unknown, d.Preprocessors.Unknown...)
	for _, p := range d.Preprocessors.List {
		if p.Name != "watermark" {
			return fmt.Errorf("the service has no preprocessor %q: the only one is watermark", p.Name)
		}
		unknown = append(unknown, p.Unknown...)
	}
	if len(unknown) == 0 {
		return nil
	}
	return fmt.Errorf("the service would ignore the unknown element <%s>", unknown[0].XMLName.Local)
}
