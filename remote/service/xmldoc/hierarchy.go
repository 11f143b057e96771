package xmldoc

import (
	"paperfs/remote"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
)

// Hierarchy writes the hits below a category, with all categories between it and them,
// parents before children. The hits come in tree order, each with the path from the
// category. Hierarchy does not write the category itself.
func Hierarchy(w *answer.Writer, hits func(visit func(path []address.Place) error) error) error {
	open := false
	var last []int64 // ids of the last path
	err := hits(func(path []address.Place) error {
		if !open {
			w.Open("papers")
			open = true
		}
		for depth, at := range path {
			if depth < len(last) && last[depth] == at.ID {
				continue
			}
			last = append(last[:depth], at.ID)
			if depth > 0 {
				w.Empty("paper", answer.Int("paperID", at.ID), answer.String("name", at.Name), answer.String("url", at.URL()), answer.Int("parentID", at.Parent),
					answer.TrueFalse("category", at.Kind == remote.CategoryNode))
			}
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case open:
		w.Close("papers")
	default:
		w.Empty("papers")
	}
	return nil
}
