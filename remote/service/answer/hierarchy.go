package answer

import (
	"paperfs/remote"
	"paperfs/remote/service/address"
)

// Hierarchy writes the hits below a category, with all categories between it and them,
// parents before children. The hits come in tree order, each with the path from the
// category. Hierarchy does not write the category itself.
func Hierarchy(w *Writer, hits func(visit func(path []address.Place) error) error) error {
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
				w.Empty("paper", Int("paperID", at.ID), String("name", at.Name), String("url", at.URL()), Int("parentID", at.Parent),
					TrueFalse("category", at.Kind == remote.CategoryNode))
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
