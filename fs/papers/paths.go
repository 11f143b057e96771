package papers

import (
	"context"
	"strings"

	"paperfs/fs/papers/names"
	"paperfs/remote"
)

// PathOf returns the path of a category or paper from the mount's root.
func (t *Tree) PathOf(id int64) string { return t.shownDir(id) }

// AddressAt returns the address of a path below papers/. Where the path leads on to names that are not there, it
// returns the address above them, and these names as the service would have them.
func (t *Tree) AddressAt(ctx context.Context, path string) (address string, rest []string, err error) {
	s, err := t.Catalogue.Snapshot(ctx)
	if err != nil {
		return "", nil, err
	}
	n := s.Root()
	for name := range strings.SplitSeq(path, "/") {
		child, there := names.Find(s, n.ID, name)
		switch {
		case name == "" || n.Kind == remote.PaperNode: // a file in a paper
		case there && len(rest) == 0:
			n, _ = s.Node(child.ID)
		default:
			rest = append(rest, names.Decode(strings.TrimSuffix(name, names.Suffix)))
		}
	}
	return n.URL, rest, nil
}

// shownDir returns the path of a category, a paper or a tempDir.
func (t *Tree) shownDir(id int64) string {
	if d := t.temps.byNumber(id); d != nil {
		return t.shownDir(d.at.Dir) + "/" + d.at.Name
	}
	return t.Path(id)
}
