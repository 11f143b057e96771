package view

import "time"

// thing is a part of what a page says to search engines, in the words of schema.org.
type thing map[string]any

// about returns what papers and shelves say alike: their name, and the way to them.
func (f Frame) about(kind string) thing {
	t := thing{"@context": "https://schema.org", "@type": kind, "name": f.Title, "url": f.Canonical}
	for name, value := range map[string]string{"inLanguage": f.Language, "description": f.Description} {
		if value != "" {
			t[name] = value
		}
	}
	if f.Site != "" {
		t["publisher"] = thing{"@type": "Organization", "name": f.Site}
	}
	var way []thing
	for _, c := range append(f.Crumbs[:len(f.Crumbs):len(f.Crumbs)], Crumb{Name: f.Name, URL: f.Canonical}) {
		way = append(way, thing{"@type": "ListItem", "position": len(way) + 1, "name": c.Name, "item": c.URL})
	}
	t["breadcrumb"] = thing{"@type": "BreadcrumbList", "itemListElement": way}
	return t
}

// About returns what the paper says to search engines.
func (p *Paper) About() any {
	t := p.about("CreativeWork")
	if p.Cover.Address != "" {
		t["image"] = p.Cover.Address
	}
	if !p.Since.IsZero() {
		t["datePublished"] = p.Since.UTC().Format(time.RFC3339)
	}
	return t
}

// About returns what the shelf says to search engines.
func (s *Shelf) About() any {
	t := s.about("CollectionPage")
	var parts []thing
	for _, e := range s.Entries {
		kind := "CreativeWork"
		if e.Category {
			kind = "CollectionPage"
		}
		parts = append(parts, thing{"@type": kind, "name": e.Name, "url": s.Base + e.Address})
	}
	t["hasPart"] = parts
	return t
}
