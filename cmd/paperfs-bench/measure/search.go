package measure

import (
	"context"
	"fmt"
	"time"

	"paperfs/remote"
)

// Query is a call whose answer grows with the service's data.
type Query struct {
	Name string
	op   *remote.Operation
	// values returns the values of the parameters; root is the id of the root category.
	values func(root string) []string
}

// Searches are for words and a field of a Library.
var Searches = []Query{
	{Name: "search, ten papers", op: remote.SearchPapersByContent, values: func(root string) []string { return []string{fewWord, root, ""} }},
	{Name: "search, a tenth of the papers", op: remote.SearchPapersByContent, values: func(root string) []string { return []string{manyWord, root, ""} }},
	{Name: "search by field, a tenth of the papers", op: remote.SearchPapersByCustomFields, values: func(root string) []string {
		return []string{root, fmt.Sprintf(`<options><customfieldcriterias><field name="%s" usewildcards="false" value="%s" /></customfieldcriterias></options>`, fieldName, season)}
	}},
}

// Time returns the median time of a query.
func (q Query) Time(ctx context.Context, c *Caller) (time.Duration, error) {
	root, err := c.id(ctx, "/")
	if err != nil {
		return 0, err
	}
	return medianOf(nil, func() error {
		_, err := c.Ask(ctx, q.op, q.values(root)...)
		return err
	})
}
