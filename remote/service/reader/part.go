package reader

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"paperfs/remote/service/reader/prose"
	"paperfs/remote/service/reader/view"
	"paperfs/remote/service/store"
)

// count counts the pages of the paper and of this part.
func (o *opened) count() (err error) {
	v := &o.view
	v.Total, err = o.tx.PageCount(o.node.ID)
	next := (v.First/v.Step + 1) * v.Step // first page of the next part
	v.Count = max(0, min(v.Total+1, next)-v.First)
	return err
}

// findTitles reads the table of contents, in its own order.
func (o *opened) findTitles() error {
	titles, err := o.tx.Titles(o.node.ID)
	o.titles = map[int]string{}
	type placed struct {
		view.Chapter
		place int
	}
	var all []placed
	for _, t := range titles {
		for line := range strings.SplitSeq(t.Lines, "\n") {
			level, title, place := store.ParseTitleLine(line)
			c := view.Chapter{Title: title, Page: t.Page, Level: level, Href: view.Address(o.pageAt(t.Page))}
			all = append(all, placed{c, place})
			if o.titles[t.Page] == "" {
				o.titles[t.Page] = c.Title
			}
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int { return a.place - b.place })
	for _, c := range all {
		o.view.Contents = append(o.view.Contents, c.Chapter)
	}
	return err
}

// pageAt returns the address of a page, relative to the current address.
func (o *opened) pageAt(number int) string {
	if o.here(number) {
		return "#p" + strconv.Itoa(number)
	}
	return "./" + o.view.And("Page="+strconv.Itoa(number))
}

// here reports whether a page is in this part.
func (o *opened) here(number int) bool {
	return o.Paper.first(number) == o.view.First
}

// pages returns an iterator over the pages of this part. It stores an error in err.
func (o *opened) pages(err *error) func(yield func(view.Page) bool) {
	return func(yield func(view.Page) bool) {
		room, soon := o.Paper.Bytes, o.Paper.Early
		failed := o.tx.Pages(o.node.ID, true, func(p store.Page) error {
			if !o.here(p.Number) {
				return nil
			}
			page := view.Page{Number: p.Number, TextElsewhere: len(p.Text) > room}
			o.pictures(&page, p)
			if text := strings.TrimSpace(p.Text); text != "" && !page.TextElsewhere {
				if room -= len(text); !o.view.Text && page.Number >= o.view.Sharp {
					soon -= len(text)
				}
				if page.TextLater = !o.view.Text && (page.Number < o.view.Sharp || soon < 0); !page.TextLater {
					lines, err := linesOf(p.Layer)
					if err != nil {
						return err
					}
					page.Text = prose.Blocks(text, lines, page.Normal.Ratio(), o.view.RightToLeft())
				}
			}
			for _, s := range o.spots[p.Number] {
				page.Spots = append(page.Spots, s.Spot)
				if s.item != nil {
					page.Items = append(page.Items, *s.item)
				}
			}
			if !yield(page) {
				return errEnough
			}
			return nil
		})
		if failed != errEnough {
			*err = failed
		}
	}
}

func (o *opened) pictures(page *view.Page, p store.Page) {
	for _, i := range p.Images {
		picture := view.Picture{Address: o.image(p.ID, i), Width: i.Width, Height: i.Height}
		switch {
		case picture.Address == "":
		case i.Type == "Zoom":
			page.Zoom = picture
		case i.Type == "Normal":
			page.Normal = picture
		default:
			page.Thumb = picture.Address
		}
	}
}

// base returns the relative address of the service's base.
func (o *opened) base() string { return strings.Repeat("../", o.view.Depth) }

// image returns the address of a picture relative to the paper, or "" if the service has no
// such picture.
func (o *opened) image(page int64, i store.Image) string {
	at := imageAddress(page, i)
	if at != "" && o.preview {
		at += "&SecurityToken=" + url.QueryEscape(o.request.URL.Query().Get("SecurityToken"))
	}
	return at
}
