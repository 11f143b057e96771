package remote

import (
	"paperfs/remote/rules"
	"paperfs/remote/xmlscan"
)

// ParsePaperHits reads the document of SearchPapersWithHiearchyByContent,
// SearchPapersWithHiearchyByName or SearchPapersByCustomFields.
func ParsePaperHits(b []byte) ([]PaperHit, error) {
	var hits []PaperHit
	err := eachElement(b, func(s *xmlscan.Scanner) error {
		if !s.Is("paper") {
			return nil
		}
		h := PaperHit{Kind: PaperNode, Name: s.AttrText("name"), URL: s.AttrText("url")}
		key := "paperID"
		if s.Attr(key) == nil {
			key = "id"
		}
		var err error
		if h.ID, err = s.AttrID(key); err != nil {
			return err
		}
		if parent := s.Attr("parentID"); len(parent) > 0 {
			if h.Parent, err = xmlscan.ParseID(parent); err != nil {
				return err
			}
		}
		if xmlscan.ParseBool(s.Attr("category")) {
			h.Kind = CategoryNode
		}
		hits = append(hits, h)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return hits, nil
}

// ParsePageHits reads the document of SearchPapersByContent.
func ParsePageHits(b []byte) ([]PageHit, error) {
	var hits []PageHit
	err := eachElement(b, func(s *xmlscan.Scanner) error {
		if !s.Is("result") {
			return nil
		}
		id, err := s.AttrID("paperID")
		if err != nil {
			return err
		}
		page := xmlscan.ParseNumber(s.Attr("pageNumber"))
		if page < 1 || page > rules.MaxID {
			return broken("a hit in paper %d has a missing or invalid page number", id)
		}
		hits = append(hits, PageHit{PaperID: id, Page: int(page), Name: s.AttrText("paperName"), URL: s.AttrText("paperUrl")})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return hits, nil
}
