package pdf

import (
	"regexp"
	"strings"

	"paperfs/remote/service/pdf/object"
)

// Bounds of the bookmarks, which may form a cycle.
const (
	mostBookmarks    = 50_000
	deepestBookmarks = 100 // levels
)

// titleBytes is the length to which titles of bookmarks are cut.
const titleBytes = 200

// outline returns the bookmarks that lead to pages.
func (d *document) outline() Outline {
	if d.objects == nil {
		return nil
	}
	f := d.objects
	o := outliner{d: d, seen: map[object.Ref]bool{}}
	o.children(f.Dict(f.Dict(f.Root)["Outlines"]), 0)
	return o.found
}

type outliner struct {
	d     *document
	found Outline
	seen  map[object.Ref]bool
}

// children adds the bookmarks below another, at all levels. A heading without a destination leads to that of its
// first chapter.
func (o *outliner) children(parent object.Dict, level int) {
	f := o.d.objects
	for at := parent["First"]; level <= deepestBookmarks && len(o.found) < mostBookmarks; {
		ref, _ := at.(object.Ref)
		b := f.Dict(at)
		if b == nil || o.seen[ref] {
			return
		}
		o.seen[ref] = true
		page := o.d.destination(b["Dest"])
		if action := f.Dict(b["A"]); action["S"] == object.Name("GoTo") {
			page = o.d.destination(action["D"])
		}
		title, _ := f.Get(b["Title"]).(object.String)
		own := len(o.found)
		o.found = append(o.found, Bookmark{Page: page, Level: level, Title: cleanTitle(string(title))})
		o.children(b, level+1)
		switch {
		case page > 0:
		case len(o.found) == own+1:
			o.found = o.found[:own]
		default:
			o.found[own].Page = o.found[own+1].Page
		}
		at = b["Next"]
	}
}

// language matches what names the language of a text within it.
var language = regexp.MustCompile("\x1b[^\x1b]*\x1b")

// cleanTitle returns a title in one line, cut to titleBytes.
func cleanTitle(s string) string {
	s = oneLine(language.ReplaceAllString(decoded(s), ""))
	if len(s) > titleBytes {
		s = strings.ToValidUTF8(s[:titleBytes], "") + "…"
	}
	return s
}
