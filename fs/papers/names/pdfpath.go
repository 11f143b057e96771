package names

import (
	"path"
	"strings"

	"paperfs/cache/catalogue"
	"paperfs/remote"
)

// PDFPath returns where a PDF is meant for now, from the mount's root with a leading slash, as was is: the path that it was
// meant for. It follows its paper, of which it keeps the kind of name, or a temporary name what that is in. Where there was no
// paper, it follows category dir. gone says that neither is there any more, taken that a paper is there which was to be
// created: sending the PDF there would replace what others have published.
func PDFPath(s *catalogue.Snapshot, paper, dir int64, was string) (now string, gone, taken bool) {
	above, name := path.Split(was)
	n, there := s.WithoutAddress(paper)
	category := Path(s, dir)
	switch {
	case there && n.Kind == remote.PaperNode && !strings.HasSuffix(above, Suffix+"/"):
		return "/" + strings.TrimSuffix(Path(s, paper), Suffix) + path.Ext(name), false, false
	case there:
		return "/" + Path(s, paper) + "/" + name, false, false
	case category != "":
		was = "/" + category + "/" + name
	}
	return was, paper > 0 || dir != 0 && category == "", paper <= 0 && hasPaper(s, was)
}

// hasPaper reports whether a PDF of a path, as PDFPath has it, is that of a paper.
func hasPaper(s *catalogue.Snapshot, pdf string) bool {
	name, _ := PaperOf(strings.TrimPrefix(pdf, "/papers/"))
	id := s.Root().ID
	for part := range strings.SplitSeq(name, "/") {
		n, ok := Find(s, id, part)
		if id = n.ID; !ok || n.Kind == remote.PaperNode {
			return ok
		}
	}
	return false
}
