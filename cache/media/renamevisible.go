package media

import (
	"errors"
	"maps"
	"path"
	"slices"

	"paperfs/cache/media/refusal"
	"paperfs/cache/media/tree"
)

// localOnly refuses a visible name for what the service cannot have.
func localOnly(name string, kind FileKind) error {
	what := "special files"
	if kind == Symlink {
		what = "symbolic links"
	}
	return &Error{Kind: LocalOnly, Name: name, Detail: "the service has no " + what + "; only names that stay on this machine can be one"}
}

// visibleLocked lists what becomes visible with a scratch directory, each directory
// before what is in it; Store.mu must be held. Names that are scratch anywhere
// stay so. It fails where the service cannot have something.
func (s *Store) visibleLocked(dir *tree.Node) (list []*tree.Node, err error) {
	folded := make(map[string]string)
	sibling := func(name string) bool { return dir.Children[name] != nil }
	for _, name := range slices.Sorted(maps.Keys(dir.Children)) {
		if s.o.Names.Local(name, "", sibling) {
			continue
		}
		n := dir.Children[name]
		other := folded[tree.Fold(name)]
		folded[tree.Fold(name)] = name
		if err := canLeave(n, name, path.Join(dir.Path(), name), other); err != nil {
			return nil, err
		}
		list = append(list, n)
		below, err := s.visibleLocked(n)
		if err != nil {
			return nil, err
		}
		list = append(list, below...)
	}
	return list, nil
}

// canLeave checks that the service can have n under the last name of a path;
// other is another one there that differs from it in case only, if any.
func canLeave(n *tree.Node, name, path, other string) error {
	switch {
	case n.Kind != Directory && n.Kind != File:
		return localOnly(path, n.Kind)
	case len(n.Also) > 0:
		return refusal.NotSupported(path, "it has several names (hard links), which the service has not; copy it instead")
	case other != "":
		return refusal.CaseClash(path, other)
	}
	err := tree.CheckName(name)
	if e, ok := errors.AsType[*Error](err); ok {
		e.Name = path
	}
	return err
}
