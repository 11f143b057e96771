package plan

import (
	"errors"
	"maps"
	"path"
	"slices"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/localname"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
)

// LocalOnly refuses a visible name for a symbolic link.
func LocalOnly(name string) error {
	return &refusal.Error{Kind: refusal.LocalOnly, Name: name, Detail: "the service has no symbolic links; only names that stay on this machine can be used for them"}
}

// severalNames refuses a visible name for one of several hard links.
func severalNames(name string) error {
	return refusal.NotSupported(name, "it has several names (hard links), which the service does not support; copy it instead")
}

// Visible lists what becomes visible with a scratch directory, each directory before its
// entries. Names that are always scratch stay so. It fails if the service does not support some
// entry.
func Visible(names localname.Names, dir *tree.Node) (list []*tree.Node, err error) {
	folded := make(map[string]string)
	for _, name := range slices.Sorted(maps.Keys(dir.Children)) {
		if names.Local(name, "", dir.HasFile) {
			continue
		}
		n := dir.Children[name]
		other := folded[tree.Fold(name)]
		folded[tree.Fold(name)] = name
		if err := canLeave(n, name, path.Join(dir.Path(), name), other); err != nil {
			return nil, err
		}
		list = append(list, n)
		below, err := Visible(names, n)
		if err != nil {
			return nil, err
		}
		list = append(list, below...)
	}
	return list, nil
}

// canLeave checks that the service supports n under the last name of path. other is an entry
// that differs from it only in case, or "".
func canLeave(n *tree.Node, name, path, other string) error {
	switch {
	case n.Kind != inode.Directory && n.Kind != inode.File:
		return LocalOnly(path)
	case len(n.Also) > 0:
		return severalNames(path)
	case other != "":
		return refusal.CaseClash(path, other)
	}
	err := tree.CheckName(name)
	if e, ok := errors.AsType[*refusal.Error](err); ok {
		e.Name = path
	}
	return err
}
