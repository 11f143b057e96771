package remote

import (
	"context"
	"strings"

	"paperfs/remote/xmlscan"
)

// SearchPapersWithHiearchyByContent returns the papers below a category whose
// text holds query, with the categories on the way; see ParsePaperHits.
func (c *Client) SearchPapersWithHiearchyByContent(ctx context.Context, query string, category int64) (doc []byte, err error) {
	return c.document(ctx, SearchPapersWithHiearchyByContent, query, decimal(category), "")
}

// SearchPapersByContent returns the pages below a category, or of one paper,
// whose text holds query; see ParsePageHits.
func (c *Client) SearchPapersByContent(ctx context.Context, query string, categoryOrPaper int64) ([]byte, error) {
	return c.document(ctx, SearchPapersByContent, query, decimal(categoryOrPaper), "")
}

// SearchPapersWithHiearchyByName returns the nodes below a category whose names
// hold query, as SearchPapersWithHiearchyByContent does.
func (c *Client) SearchPapersWithHiearchyByName(ctx context.Context, query string, category int64) ([]byte, error) {
	return c.document(ctx, SearchPapersWithHiearchyByName, query, decimal(category), "")
}

// SearchPapersByCustomFields returns the papers below a category that meet all
// criteria; see ParsePaperHits.
func (c *Client) SearchPapersByCustomFields(ctx context.Context, category int64, criteria []FieldCriterion) ([]byte, error) {
	for _, f := range criteria {
		if !xmlscan.Carries(f.Name + f.Value) {
			return nil, &Error{Op: SearchPapersByCustomFields.Name, Kind: Refused, Code: InvalidDataFormat,
				Message: "a criterion has a character that XML cannot carry; nothing was sent", Request: c.requests.Add(1)}
		}
	}
	return c.document(ctx, SearchPapersByCustomFields, decimal(category), criteriaXML(criteria))
}

func criteriaXML(criteria []FieldCriterion) string {
	var b strings.Builder
	b.WriteString("<options><customfieldcriterias>")
	for _, f := range criteria {
		b.WriteString(`<field name="` + xmlscan.Escape(f.Name) + `" usewildcards="`)
		if f.Wildcard {
			b.WriteString("true")
		} else {
			b.WriteString("false")
		}
		b.WriteString(`" value="` + xmlscan.Escape(f.Value) + `" />`)
	}
	b.WriteString("</customfieldcriterias></options>")
	return b.String()
}

// document calls an operation and returns its payload as a document.
func (c *Client) document(ctx context.Context, op *Operation, params ...string) ([]byte, error) {
	var doc []byte
	err := c.call(ctx, op, func() reading { return payload(&doc) }, params...)
	if err != nil {
		return nil, err
	}
	return doc, nil
}
