package pdf

import (
	"fmt"
	"slices"

	"paperfs/remote/service/pdf/object"
)

// pageTree are the pages of a document in their order.
type pageTree struct {
	objects *object.File
	pages   []object.Ref // 0 for what is no page
	good    int
	flawed  bool // other readers would find other pages
	seen    map[object.Ref]bool
}

func pagesOf(f *object.File) *pageTree {
	t := &pageTree{objects: f, seen: map[object.Ref]bool{}}
	t.add(f.Dict(f.Root)["Pages"])
	return t
}

func (t *pageTree) add(kid any) {
	ref, _ := kid.(object.Ref)
	d := t.objects.Dict(kid)
	kids, isTree := t.objects.Get(d["Kids"]).(object.Array)
	switch {
	case !isTree && (ref == 0 || d == nil):
		t.flawed = true
		t.pages = append(t.pages, 0)
	case !isTree:
		t.good++
		t.pages = append(t.pages, ref)
	case t.seen[ref]:
		t.flawed = true
	default:
		t.seen[ref] = true
		before := len(t.pages)
		for _, kid := range kids {
			t.add(kid)
		}
		if d["Count"] != float64(len(t.pages)-before) {
			t.flawed = true
		}
	}
}

// mendTree adds the changes that leave of a flawed tree its pages, and blank ones where it has something else.
// It notes which these are.
func (d *document) mendTree(changes map[object.Ref]string) {
	t := pagesOf(d.objects)
	d.tree = t.pages
	root, isRef := d.objects.Dict(d.objects.Root)["Pages"].(object.Ref)
	if !t.flawed || !isRef || t.good == 0 {
		return
	}
	first := t.pages[slices.IndexFunc(t.pages, func(page object.Ref) bool { return page > 0 })]
	box := d.objects.Array(inherited(d.objects, first, "MediaBox"))
	kids := ""
	for i, page := range t.pages {
		if page == 0 {
			page = d.objects.Last + 1 + object.Ref(i)
			d.damaged[i+1], t.pages[i] = true, page
			changes[page] = fmt.Sprintf("<</Type/Page/Parent %d 0 R/Resources<<>>/MediaBox%v>>", int(root), box)
		}
		kids += fmt.Sprintf("%d 0 R ", int(page))
	}
	changes[root] = d.objects.With(root, fmt.Sprintf("/Count %d/Kids[%s]", len(t.pages), kids))
}

// mendCrops adds the changes that show all of a page where its CropBox has nothing of it.
func (d *document) mendCrops(changes map[object.Ref]string) {
	f := d.objects
	for _, page := range d.tree {
		whole, crop := boxOf(f, inherited(f, page, "MediaBox")), boxOf(f, inherited(f, page, "CropBox"))
		if changes[page] == "" && crop.right > crop.left && (min(whole.right, crop.right) <= max(whole.left, crop.left) || min(whole.top, crop.top) <= max(whole.bottom, crop.bottom)) {
			changes[page] = f.With(page, fmt.Sprintf("/CropBox[%g %g %g %g]", whole.left, whole.bottom, whole.right, whole.top))
		}
	}
}

// inherited returns an entry of a page or of what it is part of.
func inherited(f *object.File, page any, key object.Name) any {
	for range 64 {
		d := f.Dict(page)
		if v, has := d[key]; has || d == nil {
			return v
		}
		page = d["Parent"]
	}
	return nil
}

// userUnit returns the unit of a page's positions, in points. PDFium does not know it.
func (d *document) userUnit(number int) float64 {
	if number <= len(d.tree) {
		if unit, ok := d.objects.Get(d.objects.Dict(d.tree[number-1])["UserUnit"]).(float64); ok && unit > 0 {
			return unit
		}
	}
	return 1
}
