package remote

import (
	"fmt"
	"strings"
)

// visitNodes reads the categories and papers in data as they come. A record
// that cannot be one is skipped with all below it.
func visitNodes(s *scanner, visit func(Node) error) error {
	depth := s.depth()
	var ancestors []int64 // ids of the open elements
	var root int64
	inPaper := false
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
		n := readNode(s)
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
			if err := s.skip(); err != nil {
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

// described names a node in words.
func (n Node) described() string {
	kind := "category"
	if n.Kind == PaperNode {
		kind = "paper"
	}
	return fmt.Sprintf("%s %d (%q)", kind, n.ID, brief([]byte(n.Name)))
}

// readNode reads the attributes of a category or a paper.
func readNode(s *scanner) Node {
	n := Node{Kind: CategoryNode}
	if s.is("paper") {
		n.Kind = PaperNode
	}
	id, err := s.attrID("id")
	if err != nil {
		return Node{Odd: fmt.Sprintf("%v: the node %q is left out with all below it", err, brief(s.attr("name")))}
	}
	n.ID = id
	name, url := s.attr("name"), s.attr("url")
	if plainAddress(url) && name != nil {
		// One allocation for both.
		s.chars = append(append(s.chars[:0], name...), url...)
		both := string(s.chars)
		n.Name, n.URL = both[:len(name)], both[len(name):]
	} else {
		n.Name = string(name)
		n.URL, n.Odd = mendedAddress(string(url))
		if name == nil {
			n.Name, n.Odd = lastPart(n.URL), joined(n.Odd, "it has no name")
		}
	}
	if s.replaced {
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

// mendedAddress makes an address that begins and ends with a slash of one that
// does not, and says what was wrong with it. If there is no address, it makes none.
func mendedAddress(url string) (mended, odd string) {
	path := strings.TrimSpace(url)
	if _, rest, absolute := strings.Cut(path, "://"); absolute {
		_, path, _ = strings.Cut(rest, "/")
	}
	switch path = strings.Trim(path, "/"); {
	case plainAddress([]byte(url)):
		return url, ""
	case path == "":
		return "", fmt.Sprintf("its address is missing or unusable: %q", brief([]byte(url)))
	}
	return "/" + path + "/", fmt.Sprintf("its address does not begin and end with a slash: %q", brief([]byte(url)))
}

// lastPart is the last part of an address.
func lastPart(url string) string {
	url = strings.TrimSuffix(url, "/")
	return url[strings.LastIndexByte(url, '/')+1:]
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
		return Period{}, broken("an invalid publication period: %q to %q", brief(from), brief(to))
	}
	return p, nil
}
