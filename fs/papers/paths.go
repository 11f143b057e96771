package papers

import (
	"context"
	"strings"

	"paperfs/fs/papers/names"
)

// PathOf returns the path of a category or paper from the mount's root.
func (t *Tree) PathOf(id int64) string { return t.Path(id) }

// NodeAt returns the category or paper at a path below papers/, which may lead to a file in a paper, or to a PDF
// beside one. Where the path leads on to names that are not there, it returns the category above them, and these
// names as the service would have them. With gone, the last category or paper on the path counts as not there: one that
// was may have had its name before.
func (t *Tree) NodeAt(ctx context.Context, path string, gone bool) (node int64, rest []string, err error) {
	s, err := t.Catalogue.Snapshot(ctx)
	if err != nil {
		return 0, nil, err
	}
	n, inPaper := s.Root(), false
	for name := range strings.SplitSeq(path, "/") {
		if name == "" || inPaper {
			continue
		}
		child, there := names.Find(s, n.ID, name)
		if paper, is := names.PaperOf(name); is && !there {
			name = paper
			child, there = names.Find(s, n.ID, name)
		}
		if there && len(rest) == 0 {
			n, _ = s.Node(child.ID)
		} else {
			rest = append(rest, names.Decode(strings.TrimSuffix(name, names.Suffix)))
		}
		inPaper = strings.HasSuffix(name, names.Suffix)
	}
	if parent, below := s.Node(n.Parent); gone && below && len(rest) == 0 {
		return parent.ID, []string{n.Name}, nil
	}
	return n.ID, rest, nil
}
