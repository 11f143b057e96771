package reader

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"paperfs/remote/service/reader/view"
	"paperfs/remote/service/store"
)

// spot is a hotspot, and the product that it shows, if any.
type spot struct {
	view.Spot
	item   *view.Item
	called string // what people call the product or file that it leads to; "" for an address
}

// show makes the spot show the product in the link's parameter, as product number of its page.
func (s *spot) show(l store.Link, number int) {
	p := productOf(l)
	s.item = &view.Item{Number: number, Name: p.Name, Description: p.Description, Price: p.Price}
	switch {
	case p.BadPrice != "":
		s.item.Price = p.BadPrice
	case p.Price != "":
		s.item.ID = p.ID
	}
	s.Name, s.called = cmp.Or(s.Name, s.item.Name), strings.TrimSpace(p.ID+" "+p.Name)
	s.Item = true
	s.Href = view.Address(fmt.Sprintf("#p%di%d", l.Page, number))
}

// corners reads the corners of a polygon: fractions, x and y in turn, with any separators.
// It returns nil for fewer than three corners or an invalid one.
func corners(text string) []view.Point {
	fields := strings.FieldsFunc(text, func(r rune) bool { return !strings.ContainsRune("0123456789.eE+-", r) })
	var all []view.Point
	for i := 0; i+1 < len(fields); i += 2 {
		x, errX := strconv.ParseFloat(fields[i], 64)
		y, errY := strconv.ParseFloat(fields[i+1], 64)
		if errX != nil || errY != nil || !(x >= 0 && x <= 1 && y >= 0 && y <= 1) {
			return nil
		}
		all = append(all, view.Point{X: x, Y: y})
	}
	if len(all) < 3 {
		return nil
	}
	return all
}
