package names

import (
	"strconv"
	"strings"

	"paperfs/cache/catalogue"
	"paperfs/remote"
)

// The functions below do what Show does for all siblings at once, but for one node or one
// name, by lookups in the snapshot. So no directory's names are stored.

// EachPlain calls fn for the children of a category whose plain name is name, until fn
// returns false.
func EachPlain(s *catalogue.Snapshot, parent int64, name string, fn func(remote.Node) bool) {
	goOn := true
	look := func(kind remote.NodeKind, shown string) {
		if text := Decode(shown); goOn && Encode(text) == shown {
			s.EachNamed(parent, kind, text, func(n remote.Node) bool {
				goOn = fn(n)
				return goOn
			})
		}
	}
	look(remote.CategoryNode, name)
	if shown, ok := strings.CutSuffix(name, Suffix); ok {
		look(remote.PaperNode, shown)
	}
}

// shared reports whether more than one child has the plain name.
func shared(s *catalogue.Snapshot, parent int64, name string) bool {
	count := 0
	EachPlain(s, parent, name, func(remote.Node) bool {
		count++
		return count < 2
	})
	return count > 1
}

// Of returns the name under which a node of the snapshot is shown.
func Of(s *catalogue.Snapshot, n remote.Node) string {
	name := Plain(n)
	return Disambiguate(n, name, !needsID(n, name) && shared(s, n.Parent, name))
}

// Find returns the child of a category that is shown under a name, without its address.
func Find(s *catalogue.Snapshot, parent int64, name string) (remote.Node, bool) {
	if id, ok := quotedID(name); ok {
		n, known := s.WithoutAddress(id)
		return n, known && n.Parent == parent && Of(s, n) == name
	}
	var found []remote.Node
	EachPlain(s, parent, name, func(n remote.Node) bool {
		found = append(found, n)
		return len(found) < 2
	})
	if len(found) != 1 || needsID(found[0], name) {
		return remote.Node{}, false
	}
	return found[0], true
}

// quotedID returns the id that a shown name ends with, before .paper. Every name with such
// an ending is shown with an id.
func quotedID(name string) (int64, bool) {
	name = strings.TrimSuffix(name, Suffix)
	if !endsLikeID(name) {
		return 0, false
	}
	id, err := strconv.ParseInt(name[strings.LastIndexByte(name, '~')+1:], 10, 64)
	return id, err == nil
}

// Available reports whether a new child with the plain name would be shown under it.
func Available(s *catalogue.Snapshot, parent int64, name string) bool {
	free := true
	EachPlain(s, parent, name, func(remote.Node) bool {
		free = false
		return false
	})
	return free
}
