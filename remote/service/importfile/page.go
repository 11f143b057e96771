package importfile

import (
	"slices"
	"strconv"

	"paperfs/remote/rules"
	"paperfs/remote/service/store"
)

func readPages(n *Node, e *paper) error {
	for _, list := range e.Pages {
		if n.Pages == nil {
			n.Pages = []store.Page{}
		}
		for _, p := range list.v.Pages {
			page, err := readPage(p.line, &p.v, len(n.Pages)+1)
			if err != nil {
				return err
			}
			n.Pages = append(n.Pages, page)
		}
	}
	return nil
}

func readPage(line int, e *page, number int) (store.Page, error) {
	p := store.Page{Number: number, Text: e.Text}
	if given := rules.Trim(e.Number); given != strconv.Itoa(number) {
		return p, Errorf(line, "page number %q instead of %d: pages are numbered from 1 without gaps", given, number)
	}
	var ok bool
	if p.PartOfIndex, ok = rules.Bool(e.PartOfIndex, false); !ok {
		return p, Errorf(line, "part-of-index %q has to be True or False", e.PartOfIndex)
	}
	for _, list := range e.Images {
		for _, i := range list.v.Images {
			image, err := readImage(i.line, &i.v)
			if err != nil {
				return p, err
			}
			if slices.ContainsFunc(p.Images, func(other store.Image) bool { return other.Type == image.Type }) {
				return p, Errorf(i.line, "a second image of type %s", image.Type)
			}
			p.Images = append(p.Images, image)
		}
	}
	return p, nil
}

// imageTypes by name, and by the digit that some answers have instead.
var imageTypes = map[string]string{"Zoom": "Zoom", "Normal": "Normal", "Thumb": "Thumb", "1": "Zoom", "2": "Normal", "3": "Thumb"}

func readImage(line int, e *image) (store.Image, error) {
	i := store.Image{Type: imageTypes[rules.Trim(e.Type)], URL: e.URL}
	if i.Type == "" {
		return i, Errorf(line, "image type %q has to be Zoom, Normal or Thumb", e.Type)
	}
	if i.URL == "" {
		return i, Errorf(line, "the image has no url")
	}
	var ok bool
	if i.SizeKB, ok = whole(e.Size); !ok {
		return i, Errorf(line, "file-size %q has to be a number of KB", e.Size)
	}
	return i, nil
}
