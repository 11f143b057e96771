package remote

import (
	"context"
	"strconv"
)

// GetPaperStructure gives a paper's pages and images, with the text of each
// page where asked for; see ParseStructure.
func (c *Client) GetPaperStructure(ctx context.Context, id int64, text bool) ([]byte, error) {
	return c.document(ctx, GetPaperStructure, decimal(id), strconv.FormatBool(text))
}

// imageTypes translates the digits that some services write.
var imageTypes = map[string]string{"1": "Zoom", "2": "Normal", "3": "Thumb"}

// ParseStructure reads the document of GetPaperStructure.
func ParseStructure(b []byte) ([]Page, error) {
	var pages []Page
	err := eachElement(b, func(s *scanner) (err error) {
		switch {
		case s.is("page"):
			var p Page
			p, err = readPage(s)
			pages = append(pages, p)
		case len(pages) == 0:
		case s.is("text"):
			pages[len(pages)-1].Text, err = s.textLeaf()
		case s.is("image"):
			p := &pages[len(pages)-1]
			p.Images = append(p.Images, readImage(s))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return pages, nil
}

func readPage(s *scanner) (Page, error) {
	id, err := s.attrID("id")
	if err != nil {
		return Page{}, err
	}
	n := number(s.attr("number"))
	if n < 1 || n > 1<<31-1 {
		return Page{}, broken("page %d has a missing or invalid number", id)
	}
	return Page{ID: id, Number: int(n), PartOfIndex: truth(s.attr("part-of-index"))}, nil
}

func readImage(s *scanner) Image {
	i := Image{Type: s.attrText("type"), SizeKB: max(number(s.attr("file-size")), 0), URL: s.attrText("url")}
	if name, ok := imageTypes[i.Type]; ok {
		i.Type = name
	}
	return i
}
