package property

import (
	"encoding/xml"
	"strings"
)

type fragment struct {
	XMLName     xml.Name `xml:"item"`
	Name        string   `xml:"name"`
	Price       string   `xml:"price"`
	Description string   `xml:"descr"`
	ID          string   `xml:"id"`
}

// ProductFragment returns the parameter of a link to the product.
func ProductFragment(p Product) string {
	text, err := xml.Marshal(fragment{Name: p.Name, Price: p.Price, Description: p.Description, ID: p.ID})
	if err != nil {
		panic(err) // cannot fail: all fields are strings
	}
	return string(text)
}

// ParseProductFragment reads the parameter of a link to a product. Fields from the first syntax
// error on are empty. A price in another form becomes a BadPrice.
func ParseProductFragment(text string) Product {
	var f struct { // the root element may have any name
		Name        string `xml:"name"`
		Price       string `xml:"price"`
		Description string `xml:"descr"`
		ID          string `xml:"id"`
	}
	_ = xml.Unmarshal([]byte(text), &f) // the parameter of a link may be any text
	p := Product{ID: strings.TrimSpace(f.ID), Name: strings.TrimSpace(f.Name), Description: strings.TrimSpace(f.Description)}
	price, ok := Price(f.Price)
	if p.Price = price; !ok {
		p.BadPrice = strings.TrimSpace(f.Price)
	}
	return p
}
