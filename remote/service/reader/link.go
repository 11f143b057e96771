package reader

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/property"
	"paperfs/remote/service/reader/view"
	"paperfs/remote/service/store"
)

// findSpots makes the hotspots of this part's pages from the paper's links. It skips links
// that cannot be followed.
func (o *opened) findSpots() error {
	links, err := o.links()
	if err != nil {
		return err
	}
	all := map[int][]spot{}
	items := map[int]int{} // number of products by page
	for _, l := range links {
		s := spot{Spot: view.Spot{Name: strings.TrimSpace(l.AltText), X: l.X, Y: l.Y, Width: l.Width, Height: l.Height}}
		if l.LinkType == "shopitem" {
			items[l.Page]++
			s.show(l, items[l.Page])
		} else if ok, err := o.lead(&s, l); err != nil {
			return err
		} else if !ok {
			continue
		}
		if l.ShapeType == "polygon" {
			s.Polygon = corners(l.PolygonCoords)
		}
		all[l.Page] = append(all[l.Page], s)
	}
	o.spots = all
	return nil
}

// links returns the links on this part's pages, up to the bound.
func (o *opened) links() (all []store.Link, err error) {
	err = o.tx.EachLink(o.node.ID, func(l store.Link) error {
		if !o.here(l.Page) {
			return nil
		}
		if len(all) == o.Paper.Links {
			return errEnough
		}
		all = append(all, l)
		return nil
	})
	if err == errEnough {
		err = nil
	}
	return all, err
}

// file finds a media file, and remembers the result. It returns nil for a missing file.
func (o *opened) file(id int64) (*store.File, error) {
	if f, ok := o.files[id]; ok {
		return f, nil
	}
	file, err := o.tx.File(o.tenant.ID, id)
	found := &file
	if store.IsNotFound(err) {
		found, err = nil, nil
	}
	if o.files == nil {
		o.files = map[int64]*store.File{}
	}
	o.files[id] = found
	return found, err
}

// lead sets where the spot leads. It returns false for a link that leads nowhere.
func (o *opened) lead(s *spot, l store.Link) (bool, error) {
	target := strings.TrimSpace(l.URL)
	switch l.LinkType {
	case "page":
		number, err := strconv.Atoi(strings.TrimPrefix(target, "#p"))
		if err != nil || number < 1 {
			return false, nil
		}
		s.Page, s.Chapter = number, o.titles[number]
		target = o.pageAt(number)
	case "file":
		id, ok := rules.ID(l.FileID)
		if !ok {
			return false, nil
		}
		file, err := o.file(id)
		if err != nil || file == nil {
			return false, err
		}
		s.called = strings.TrimPrefix(address.File(*file), "/")
		target = o.base() + escaped(s.called)
		s.NewTab, s.Name = true, cmp.Or(s.Name, file.Name)
	case "mail":
		if scheme, _ := rules.Link(target); scheme == "" && target != "" {
			target = "mailto:" + target
		}
	default:
		s.NewTab = l.Target != "_self" && l.Target != "_top" && l.Target != "_parent"
	}
	if width, shown := property.ParseMediaFragment(l.Param); shown {
		kind, host := property.MediumAt(target)
		if l.LinkType != "file" && !slices.Contains(o.hosts, host) {
			return false, nil // it was, when the PDF was sent
		}
		s.Medium, s.Most = kind, width
	}
	scheme, ok := rules.Link(target)
	if scheme == "mailto" || scheme == "tel" {
		s.NewTab, s.Name = false, cmp.Or(s.Name, strings.TrimPrefix(target, scheme+":"))
	}
	s.Href = view.Address(target)
	return ok && target != "", nil
}
