package pdf

import (
	"errors"
	"slices"

	"github.com/klippa-app/go-pdfium/requests"

	"paperfs/remote/service/pdf/object"
)

// placedLink is a link with its area in points of the page.
type placedLink struct {
	Link
	area letterBox
}

// Flags of annotations and fields.
const (
	hidden     = 1 << 1
	pushButton = 1 << 16
)

// errUnread means that the document's objects could not be read.
var errUnread = errors.New("the objects of the PDF are damaged or too large")

// pageLinks returns the links and push buttons of a page whose target is an address or a page
// of the document. PDFium would not tell of those with other targets than these where they lead.
func (d *document) pageLinks(page requests.Page, number int) (links []placedLink, err error) {
	if number > len(d.tree) {
		return nil, errUnread
	}
	grid, err := d.gridOf(page)
	if err != nil {
		return nil, err
	}
	f := d.objects
	for _, annotation := range f.Array(f.Dict(d.tree[number-1])["Annots"]) {
		a := f.Dict(annotation)
		if link := (placedLink{Link: d.target(a, number)}); link.URI != "" || link.Page > 0 {
			if link.placed(grid, boxOf(f, a["Rect"])) {
				links = append(links, link)
			}
		}
		if len(links) > d.Limits.Links {
			break
		}
	}
	return links, nil
}

// target returns where an annotation on a page leads. Actions in other files and programs lead nowhere.
func (d *document) target(a object.Dict, number int) (l Link) {
	f := d.objects
	action := f.Dict(a["A"])
	switch flags, fieldFlags := f.Number(a["F"]), f.Number(inherited(f, a, "Ff")); {
	case int(flags)&hidden != 0:
		return l
	case a["Subtype"] == object.Name("Link"):
		if action == nil {
			l.Page = d.destination(a["Dest"])
		}
	case a["Subtype"] == object.Name("Widget") && f.Get(inherited(f, a, "FT")) == object.Name("Btn") && int(fieldFlags)&pushButton != 0:
		for _, event := range []object.Name{"U", "D"} { // released, pressed
			if action == nil {
				action = f.Dict(f.Dict(a["AA"])[event])
			}
		}
	default:
		return l
	}
	switch action["S"] {
	case object.Name("URI"):
		address, _ := f.Get(action["URI"]).(object.String)
		l.URI = cleanURI(string(address))
	case object.Name("GoTo"):
		l.Page = d.destination(action["D"])
	case object.Name("Named"):
		l.Page = d.namedPage(f.Get(action["N"]), number)
	}
	return l
}

// boxOf returns a rectangle; an empty one for something else.
func boxOf(f *object.File, rect any) letterBox {
	var at [4]float32
	for i, n := range f.Array(rect) {
		at[min(i, 3)] = float32(f.Number(n))
	}
	return letterBox{min(at[0], at[2]), max(at[1], at[3]), max(at[0], at[2]), min(at[1], at[3])}
}

// placed sets the area of a link. It returns false for an area outside of the page.
func (l *placedLink) placed(grid gridPlace, area letterBox) bool {
	l.area = area
	shown := grid.shown(l.area)
	x, y := digits(shown.X), digits(shown.Y)
	l.X, l.Y, l.Width, l.Height = x, y, digits(shown.X+shown.Width-x), digits(shown.Y+shown.Height-y)
	return l.Width > 0 && l.Height > 0
}

// namedPage returns the page that a name stands for; 0 for none.
func (d *document) namedPage(name any, number int) int {
	switch name {
	case object.Name("NextPage"):
		return (number + 1) % (d.pages + 1)
	case object.Name("PrevPage"):
		return number - 1
	case object.Name("FirstPage"):
		return 1
	case object.Name("LastPage"):
		return d.pages
	}
	return 0
}

// destination returns the number of the page that a destination leads to; 0 for none.
func (d *document) destination(to any) int {
	f := d.objects
	switch name := f.Get(to).(type) {
	case object.Name:
		to = f.Dict(f.Dict(f.Root)["Dests"])[name]
	case object.String:
		if d.names == nil {
			d.names = map[object.String]any{}
			d.readNames(f.Dict(f.Dict(f.Root)["Names"])["Dests"], 0)
		}
		to = d.names[name]
	}
	if dict := f.Dict(to); dict != nil {
		to = dict["D"]
	}
	place := f.Array(to)
	if len(place) == 0 {
		return 0
	}
	switch page := place[0].(type) {
	case object.Ref:
		return slices.Index(d.tree, page) + 1
	case float64:
		if page >= 0 && int(page) < d.pages {
			return int(page) + 1
		}
	}
	return 0
}

// readNames reads a tree of named destinations, which need not be in order.
func (d *document) readNames(node any, depth int) {
	f := d.objects
	for _, kid := range f.Array(f.Dict(node)["Kids"]) {
		if depth < 16 {
			d.readNames(kid, depth+1)
		}
	}
	pairs := f.Array(f.Dict(node)["Names"])
	for i := 0; i+1 < len(pairs); i += 2 {
		if name, ok := f.Get(pairs[i]).(object.String); ok {
			d.names[name] = pairs[i+1]
		}
	}
}
