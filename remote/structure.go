package remote

import (
	"context"
	"strconv"

	"paperfs/remote/rules"
	"paperfs/remote/xmlscan"
)

// GetPaperStructure returns the document of a paper's pages and images, optionally with the
// text of each page; see ParseStructure.
func (c *Client) GetPaperStructure(ctx context.Context, id int64, text bool) ([]byte, error) {
	return c.document(ctx, GetPaperStructure, decimal(id), strconv.FormatBool(text))
}

// imageTypes translates the digits that some services write.
var imageTypes = map[string]string{"1": "Zoom", "2": "Normal", "3": "Thumb"}

// ParseStructure reads the document of GetPaperStructure.
func ParseStructure(b []byte) ([]Page, error) {
	var pages []Page
	err := eachElement(b, func(s *xmlscan.Scanner) (err error) {
		switch {
		case s.Is("page"):
			var p Page
			p, err = readPage(s)
			pages = append(pages, p)
		case len(pages) == 0:
		case s.Is("text"):
			pages[len(pages)-1].Text, err = s.TextLeaf()
		case s.Is("image"):
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

func readPage(s *xmlscan.Scanner) (Page, error) {
	id, err := s.AttrID("id")
	if err != nil {
		return Page{}, err
	}
	n := xmlscan.ParseNumber(s.Attr("number"))
	if n < 1 || n > rules.MaxID {
		return Page{}, broken("page %d has a missing or invalid number", id)
	}
	return Page{ID: id, Number: int(n), PartOfIndex: xmlscan.ParseBool(s.Attr("part-of-index"))}, nil
}

func readImage(s *xmlscan.Scanner) Image {
	i := Image{Type: s.AttrText("type"), SizeKB: max(xmlscan.ParseNumber(s.Attr("file-size")), 0), URL: s.AttrText("url")}
	if name, ok := imageTypes[i.Type]; ok {
		i.Type = name
	}
	return i
}
