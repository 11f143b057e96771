package remote

// ParsePaperHits reads the document of SearchPapersWithHiearchyByContent, of
// its sister by name, or of SearchPapersByCustomFields.
func ParsePaperHits(b []byte) ([]PaperHit, error) {
	var hits []PaperHit
	err := eachElement(b, func(s *scanner) error {
		if !s.is("paper") {
			return nil
		}
		h := PaperHit{Kind: PaperNode, Name: s.attrText("name"), URL: s.attrText("url")}
		key := "paperID"
		if s.attr(key) == nil {
			key = "id"
		}
		var err error
		if h.ID, err = s.attrID(key); err != nil {
			return err
		}
		if parent := s.attr("parentID"); len(parent) > 0 {
			if h.Parent, err = parseID(parent); err != nil {
				return err
			}
		}
		if truth(s.attr("category")) {
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
	err := eachElement(b, func(s *scanner) error {
		if !s.is("result") {
			return nil
		}
		id, err := s.attrID("paperID")
		if err != nil {
			return err
		}
		page := number(s.attr("pageNumber"))
		if page < 1 || page > 1<<31-1 {
			return broken("a hit in paper %d has a missing or invalid page number", id)
		}
		hits = append(hits, PageHit{PaperID: id, Page: int(page), Name: s.attrText("paperName"), URL: s.attrText("paperUrl")})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return hits, nil
}
