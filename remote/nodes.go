package remote

import (
	"fmt"
	"strings"

	"paperfs/remote/rules"
	"paperfs/remote/xmlscan"
)

// visitNodes reads the categories and papers in data as they arrive. It skips an invalid
// record with everything below it. o is what the service offers with this answer.
func visitNodes(s *xmlscan.Scanner, o Offers, visit func(Node) error) error {
	depth := s.Depth()
	var ancestors []int64 // ids of the open elements
	var root int64
	inPaper := false
	for {
		tok, err := s.Next()
		if err != nil {
			return err
		}
		if s.Depth() < depth {
			return nil
		}
		if tok == xmlscan.End {
			// Closes what was at depth()+1.
			ancestors, inPaper = ancestors[:min(len(ancestors), s.Depth()-depth)], false
			continue
		}
		if tok != xmlscan.Start {
			continue
		}
		if !s.Is("category") && !s.Is("paper") {
			if err := s.Skip(); err != nil {
				return err
			}
			continue
		}
		n := readNode(s, o)
		if len(ancestors) > 0 {
			n.Parent = ancestors[len(ancestors)-1]
		}
		switch {
		case n.ID == 0:
		case inPaper:
			n = Node{Parent: n.Parent, Odd: fmt.Sprintf("%s lies below a paper, and is left out", n.described())}
		case root != 0 && n.Parent == 0:
			n = Node{Parent: root, Odd: fmt.Sprintf("%s is a second root, and is left out", n.described())}
		}
		if err := visit(n); err != nil {
			return &callerError{err}
		}
		if n.ID == 0 {
			if err := s.Skip(); err != nil {
				return err
			}
			continue
		}
		if root == 0 {
			root = n.ID
		}
		inPaper = n.Kind == PaperNode
		ancestors = append(ancestors, n.ID)
	}
}

// described returns a node in words.
func (n Node) described() string {
	kind := "category"
	if n.Kind == PaperNode {
		kind = "paper"
	}
	return fmt.Sprintf("%s %d (%q)", kind, n.ID, xmlscan.Brief([]byte(n.Name)))
}

// readNode reads the attributes of a category or a paper.
func readNode(s *xmlscan.Scanner, o Offers) Node {
	n := Node{Kind: CategoryNode, Version: attrVersion(s, "version"), Edition: attrVersion(s, "edition")}
	if s.Is("paper") {
		n.Kind, n.Pages = PaperNode, pagesTold(s, o)
	}
	id, err := s.AttrID("id")
	if err != nil {
		return Node{Odd: fmt.Sprintf("%v: the node %q is left out with everything below it", err, xmlscan.Brief(s.Attr("name")))}
	}
	n.ID = id
	name, url := s.Attr("name"), s.Attr("url")
	if plainAddress(url) && name != nil {
		both := s.Concat(name, url)
		n.Name, n.URL = both[:len(name)], both[len(name):]
	} else {
		n.Name = string(name)
		n.URL, n.Odd = completedAddress(string(url))
		if name == nil {
			n.Name, n.Odd = strings.TrimSuffix(n.URL[strings.LastIndexByte(strings.TrimSuffix(n.URL, "/"), '/')+1:], "/"), joined(n.Odd, "it has no name")
		}
	}
	if s.Replaced {
		n.Odd = joined(n.Odd, notCarried)
	}
	if n.Period, err = readPeriod(s); err != nil {
		n.Odd = joined(n.Odd, err.Error())
	}
	if n.Odd != "" {
		n.Odd = n.described() + ": " + n.Odd
	}
	return n
}

// pagesTold reads the number of pages of a paper. Without the attribute it has none, if the service tells those of others.
func pagesTold(s *xmlscan.Scanner, o Offers) (p PageTotal) {
	p.Told = o.PageCounts
	if pages := s.Attr("pages"); p.Told && pages != nil {
		p.N = int32(min(max(xmlscan.ParseNumber(pages), 0), rules.MaxID))
	}
	return p
}

const notCarried = "a character that XML cannot carry is shown as \uFFFD"

func joined(odd, more string) string {
	if odd == "" {
		return more
	}
	return odd + "; " + more
}

func plainAddress(url []byte) bool {
	return len(url) > 0 && url[0] == '/' && url[len(url)-1] == '/'
}

// completedAddress completes an address so that it begins and ends with a slash, and says what
// was wrong with it. An empty address stays empty.
func completedAddress(url string) (completed, odd string) {
	path := strings.TrimSpace(url)
	if _, rest, absolute := strings.Cut(path, "://"); absolute {
		_, path, _ = strings.Cut(rest, "/")
	}
	switch path = strings.Trim(path, "/"); {
	case plainAddress([]byte(url)):
		return url, ""
	case path == "":
		return "", fmt.Sprintf("its address is missing or unusable: %q", xmlscan.Brief([]byte(url)))
	}
	return "/" + path + "/", fmt.Sprintf("its address does not begin and end with a slash: %q", xmlscan.Brief([]byte(url)))
}

func readPeriod(s *xmlscan.Scanner) (Period, error) {
	from, to := s.Attr("publicationperiod-from"), s.Attr("publicationperiod-to")
	if len(from) == 0 && len(to) == 0 {
		return Period{}, nil
	}
	var p Period
	var ok, okTo bool
	p.From, ok = parseTime(from)
	p.To, okTo = parseTime(to)
	if !ok || !okTo {
		return Period{}, broken("an invalid publication period: %q to %q", xmlscan.Brief(from), xmlscan.Brief(to))
	}
	return p, nil
}
