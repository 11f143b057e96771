package remote

// visitNodes reads the categories and papers in data as they come.
func visitNodes(s *scanner, visit func(Node) error) error {
	depth := s.depth()
	var ancestors []int64 // ids of the open elements
	begun, inPaper := false, false
	for {
		tok, err := s.next()
		if err != nil {
			return err
		}
		if s.depth() < depth {
			return nil
		}
		if tok == tokenEnd {
			// Closes what was at depth()+1.
			ancestors, inPaper = ancestors[:min(len(ancestors), s.depth()-depth)], false
			continue
		}
		if tok != tokenStart {
			continue
		}
		if !s.is("category") && !s.is("paper") {
			if err := s.skip(); err != nil {
				return err
			}
			continue
		}
		n, err := readNode(s)
		if err != nil {
			return err
		}
		if inPaper {
			return broken("the tree has node %d below a paper", n.ID)
		}
		inPaper = n.Kind == PaperNode
		if len(ancestors) > 0 {
			n.Parent = ancestors[len(ancestors)-1]
		} else if begun {
			return broken("the tree has two roots")
		}
		begun = true
		ancestors = append(ancestors, n.ID)
		if err := visit(n); err != nil {
			return &callerError{err}
		}
	}
}

// readNode reads the attributes of a category or a paper.
func readNode(s *scanner) (Node, error) {
	n := Node{Kind: CategoryNode}
	if s.is("paper") {
		n.Kind = PaperNode
	}
	id, err := s.attrID("id")
	if err != nil {
		return n, err
	}
	n.ID = id
	name, url := s.attr("name"), s.attr("url")
	if name == nil || len(url) < 1 || url[0] != '/' || url[len(url)-1] != '/' {
		return n, broken("node %d has no name, or an address that does not begin and end with a slash", id)
	}
	// One allocation for both.
	s.chars = append(append(s.chars[:0], name...), url...)
	both := string(s.chars)
	n.Name, n.URL = both[:len(name)], both[len(name):]
	n.Period, err = readPeriod(s)
	return n, err
}

func readPeriod(s *scanner) (Period, error) {
	from, to := s.attr("publicationperiod-from"), s.attr("publicationperiod-to")
	if len(from) == 0 && len(to) == 0 {
		return Period{}, nil
	}
	var p Period
	var ok, okTo bool
	p.From, ok = parseTime(from)
	p.To, okTo = parseTime(to)
	if !ok || !okTo {
		return Period{}, broken("a publication period that is none: %q to %q", brief(from), brief(to))
	}
	return p, nil
}
