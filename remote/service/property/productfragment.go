package property

import (
	"encoding/xml"
	"strings"
)

type fragment struct {
	Name        string `xml:"name"`
	Price       string `xml:"price"`
	Description string `xml:"descr"`
	ID          string `xml:"id"`
}

// ProductFragment returns the parameter of a link to the product.
func ProductFragment(p Product) string {
	var text strings.Builder // writing to it never fails, nor does writing strings
	_ = xml.NewEncoder(&text).EncodeElement(fragment{p.Name, p.Price, p.Description, p.ID}, xml.StartElement{Name: xml.Name{Local: "item"}})
	return text.String()
}

// ParseProductFragment reads the parameter of a link to a product. Fields from the first syntax
// error on are empty. A price in another form becomes a BadPrice.
func ParseProductFragment(text string) Product {
	var f fragment                      // the root element may have any name
	_ = xml.Unmarshal([]byte(text), &f) // the parameter of a link may be any text
	p := Product{ID: strings.TrimSpace(f.ID), Name: strings.TrimSpace(f.Name), Description: strings.TrimSpace(f.Description)}
	price, ok := Price(f.Price)
	if p.Price = price; !ok {
		p.BadPrice = strings.TrimSpace(f.Price)
	}
	return p
}
