package names

import (
	"errors"
	"strings"

	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
)

// Is reports what holds of the tree at one moment.
func (s *Tree) Is(so func() bool) bool {
	s.Mu.RLock()
	defer s.Mu.RUnlock()
	return so()
}

// NeverSent reports whether n's content is never sent, because n is scratch or has lost its name.
func (s *Tree) NeverSent(n *tree.Node) bool {
	return s.Is(func() bool { return n.Local() || n.Parent == nil })
}

// LostWrites returns why content of n is not published: its name no longer refers to it.
func (s *Tree) LostWrites(n *tree.Node) error {
	s.Mu.RLock()
	defer s.Mu.RUnlock()
	if n.Lost == "" || !n.Dirty() || n.Why.Reason == ErrEmptyPDF {
		return nil
	}
	return n.Why.Reason
}

// RemovedHere reports whether n's last name was removed locally, so that its content ends with its
// last use.
func (s *Tree) RemovedHere(n *tree.Node) bool {
	return s.Is(func() bool { return n.Parent == nil && n.Lost == "" })
}

// Unlinked reports whether no name shows n.
func (s *Tree) Unlinked(n *tree.Node) bool { return s.Is(func() bool { return n.Parent == nil }) }

// NotSent returns ErrNotKept if n is the PDF of a paper and nothing of it is here.
func (s *Tree) NotSent(n *tree.Node) error {
	s.Mu.RLock()
	defer s.Mu.RUnlock()
	if n.IsPDF() && n.PDF.Paper != 0 && n.Pub.ID == 0 && !n.Written && !n.Blank {
		return ErrNotKept
	}
	return nil
}

// InUse reports whether n has open handles.
func (s *Tree) InUse(n *tree.Node) bool { return s.Is(func() bool { return n.Handles > 0 }) }

// OthersWrite reports whether n has more than one handle that may write.
func (s *Tree) OthersWrite(n *tree.Node) bool { return s.Is(func() bool { return n.Writers > 1 }) }

// ErrNotKept is why a PDF that was sent cannot be read.
var ErrNotKept = &refusal.Error{Kind: refusal.NoContent, Detail: "the service does not return PDFs, and this machine has not kept this one"}

// ErrCut is why the length of a PDF cannot be changed alone: the part would become the paper's pages.
var ErrCut = &refusal.Error{Kind: refusal.Unsupported, Detail: "a PDF cannot be shortened or extended in place: write the whole PDF again"}

// Alone reports whether n is a PDF that only one handle can write.
func (s *Tree) Alone(n *tree.Node) bool {
	return s.Is(func() bool { return n.IsPDF() && n.Writers == 1 })
}

// ErrEmptyPDF is the verdict on a PDF that has nothing in it: nothing of it is kept.
var ErrEmptyPDF = errors.New("it is empty")

// Temporary reports whether a path contains a name that stays on this machine.
func (s *Tree) Temporary(path string) bool {
	for name := range strings.SplitSeq(path, "/") {
		if name != "" && s.o.Names.Local(name, "", func(string) bool { return false }) {
			return true
		}
	}
	return false
}
