package pdf

import (
	"maps"
	"slices"

	"paperfs/remote/service/pdf/object"
)

// namesOf returns the document's named destinations, and whether they are in order.
func namesOf(f *object.File) (names map[object.String]any, sorted bool) {
	names, sorted = map[object.String]any{}, true
	last := object.String("")
	seen := map[any]bool{}
	var add func(node any)
	add = func(node any) {
		if ref, ok := node.(object.Ref); ok && seen[ref] {
			return
		} else if ok {
			seen[ref] = true
		}
		d := f.Dict(node)
		for _, kid := range f.Array(d["Kids"]) {
			add(kid)
		}
		pairs := f.Array(d["Names"])
		for i := 0; i+1 < len(pairs); i += 2 {
			name, _ := f.Get(pairs[i]).(object.String)
			sorted = sorted && last <= name
			last, names[name] = name, pairs[i+1]
		}
	}
	add(f.Dict(f.Dict(f.Root)["Names"])["Dests"])
	return names, sorted
}

// sortNames adds the change that puts named destinations in order: PDFium finds only those that are.
func (d *document) sortNames(changes map[object.Ref]string) {
	names, sorted := namesOf(d.objects)
	if sorted {
		return
	}
	var pairs object.Array
	for _, name := range slices.Sorted(maps.Keys(names)) {
		pairs = append(pairs, name, names[name])
	}
	catalog := d.objects.Dict(d.objects.Root)
	all := maps.Clone(d.objects.Dict(catalog["Names"]))
	all["Dests"] = object.Dict{"Names": pairs}
	if ref, ok := catalog["Names"].(object.Ref); ok {
		changes[ref] = object.Format(all)
		return
	}
	catalog["Names"] = all
	changes[d.objects.Root] = object.Format(catalog)
}
