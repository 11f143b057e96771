package importfile

import (
	"math"
	"strconv"
	"strings"

	"paperfs/remote/rules"
	"paperfs/remote/service/store"
)

func readLinks(n *Node, e *paper) error {
	for _, list := range e.Links {
		if n.Links == nil {
			n.Links = []store.Link{}
		}
		for _, l := range list.v.Links {
			link, err := readLink(l.line, &l.v)
			if err != nil {
				return err
			}
			n.Links = append(n.Links, link)
		}
	}
	return nil
}

func readLink(line int, e *link) (store.Link, error) {
	l := store.Link{AltText: e.AltText, URL: rules.Trim(e.URL), StyleName: e.StyleName, ShapeType: rules.Trim(e.ShapeType), PolygonCoords: e.PolygonCoords,
		LinkType: rules.Trim(e.LinkType), FileID: rules.Trim(e.FileID), Target: rules.Trim(e.Target), Param: e.Param, Imported: true}
	if _, ok := rules.Link(l.URL); !ok {
		return l, Errorf(line, "the link's url %q may begin with http, https, mailto or tel, or be an address without a scheme", l.URL)
	}
	page, ok := rules.ID(e.Page)
	if !ok {
		return l, Errorf(line, "the link's page, number %q, has to be a whole number from 1", e.Page)
	}
	l.Page = int(page)
	for _, c := range []struct {
		name, text string
		into       *float64
	}{{"x", e.X, &l.X}, {"y", e.Y, &l.Y}, {"width", e.Width, &l.Width}, {"height", e.Height, &l.Height}} {
		f, err := strconv.ParseFloat(strings.Replace(rules.Trim(c.text), ",", ".", 1), 64)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return l, Errorf(line, "the link's %s %q has to be a fraction like 0.125", c.name, c.text)
		}
		*c.into = f
	}
	if l.UseMask, ok = rules.Bool(e.UseMask, false); !ok {
		return l, Errorf(line, "the link's usemask %q has to be True or False", e.UseMask)
	}
	return l, nil
}
