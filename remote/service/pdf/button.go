package pdf

import (
	"slices"

	"paperfs/remote/service/pdf/object"
)

// Flags of annotations and fields.
const (
	hidden     = 1 << 1
	pushButton = 1 << 16
)

// button returns the link of an annotation whose action PDFium does not tell: that of a push button, or a link to
// a page that is named by its place, such as the next one.
func (d *document) button(grid gridPlace, annotation object.Dict, number int) (placedLink, bool) {
	f := d.objects
	action := f.Dict(annotation["A"])
	if flags, _ := f.Get(annotation["F"]).(float64); int(flags)&hidden != 0 {
		return placedLink{}, false
	}
	switch annotation["Subtype"] {
	case object.Name("Link"):
		if action["S"] != object.Name("Named") {
			return placedLink{}, false
		}
	case object.Name("Widget"):
		flags, _ := f.Get(inherited(f, annotation, "Ff")).(float64)
		if f.Get(inherited(f, annotation, "FT")) != object.Name("Btn") || int(flags)&pushButton == 0 {
			return placedLink{}, false
		}
		for _, event := range []object.Name{"U", "D"} { // released, pressed
			if action == nil {
				action = f.Dict(f.Dict(annotation["AA"])[event])
			}
		}
	default:
		return placedLink{}, false
	}
	var link placedLink
	switch action["S"] {
	case object.Name("URI"):
		address, _ := f.Get(action["URI"]).(object.String)
		link.URI = cleanURI(string(address))
	case object.Name("GoTo"):
		link.Page = d.destination(action["D"])
	case object.Name("Named"):
		link.Page = d.namedPage(f.Get(action["N"]), number)
	}
	return link, (link.URI != "" || link.Page > 0) && link.in(grid, f.Array(annotation["Rect"]))
}

// in sets the area of a link. It returns false for an area outside of the page.
func (l *placedLink) in(grid gridPlace, rect object.Array) bool {
	var corners [4]float32
	for i := range corners {
		if i >= len(rect) {
			return false
		}
		n, _ := rect[i].(float64)
		corners[i] = float32(n)
	}
	l.area = letterBox{min(corners[0], corners[2]), max(corners[1], corners[3]), max(corners[0], corners[2]), min(corners[1], corners[3])}
	shown := grid.shown(l.area)
	l.X, l.Y, l.Width, l.Height = shown.X, shown.Y, shown.Width, shown.Height
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
	to = f.Get(to)
	if name, ok := to.(object.Name); ok {
		to = f.Get(f.Dict(f.Dict(f.Root)["Dests"])[name])
	}
	if name, ok := to.(object.String); ok {
		names, _ := namesOf(f)
		to = f.Get(names[name])
	}
	if dict, ok := to.(object.Dict); ok {
		to = f.Get(dict["D"])
	}
	place, _ := to.(object.Array)
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
