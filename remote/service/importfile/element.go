package importfile

import (
	"encoding/xml"
	"strings"
)

// at is an element with the line on which its start tag ends.
type at[T any] struct {
	line int
	v    T
}

// UnmarshalXML implements xml.Unmarshaler. It rejects what is not of an element's form.
func (a *at[T]) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	a.line, _ = d.InputPos()
	err := d.DecodeElement(&a.v, &start)
	if e, fixed := any(&a.v).(interface{ check(line int) error }); fixed && err == nil {
		err = e.check(a.line)
	}
	return err
}

// strict is embedded in every element with a fixed form: it collects everything unknown, which
// check rejects.
type strict struct {
	UnknownAttrs    []xml.Attr    `xml:",any,attr"`
	UnknownElements []at[unknown] `xml:",any"`
	StrayText       string        `xml:",chardata"`
}

func isNamespace(a xml.Attr) bool { return a.Name.Space == "xmlns" || a.Name.Local == "xmlns" }

type unknown struct{ XMLName xml.Name }

func (s *strict) check(line int) error {
	for _, a := range s.UnknownAttrs {
		if !isNamespace(a) {
			return Errorf(line, "attribute %s is not allowed here", a.Name.Local)
		}
	}
	for _, e := range s.UnknownElements {
		return Errorf(e.line, "element %s is not allowed here", e.v.XMLName.Local)
	}
	if text := strings.TrimSpace(s.StrayText); text != "" {
		return Errorf(line, "text where only elements belong: %.40q", text)
	}
	return nil
}

type definitions struct {
	strict
	Fields []at[definition] `xml:"field"`
}

type definition struct {
	strict
	Name string `xml:"name,attr"`
	Type string `xml:"datatype,attr"`
}

// place identifies a category or paper.
type place struct {
	ID   string `xml:"id,attr"`
	URL  string `xml:"url,attr"`
	Name string `xml:"name,attr"`
}

type paper struct {
	strict
	place
	From          string `xml:"publicationperiod-from,attr"`
	To            string `xml:"publicationperiod-to,attr"`
	LastProcessed string `xml:"lastprocessed,attr"`
	PDFFileSize   string `xml:"pdffilesize,attr"`

	Settings  []at[named]     `xml:"settings"`
	Fields    []at[values]    `xml:"customfields"`
	Pages     []at[pages]     `xml:"pages"`
	Links     []at[links]     `xml:"root"`
	Orders    []at[orders]    `xml:"orders"`
	Processes []at[processes] `xml:"processes"`
}

// named holds elements whose names are data.
type named struct {
	Elements []at[leaf] `xml:",any"`
}

type leaf struct {
	XMLName xml.Name
	Value   string `xml:",chardata"`
}

type values struct {
	strict
	Fields []at[struct {
		Name  string `xml:"name,attr"`
		Null  string `xml:"null,attr"`
		Value string `xml:",chardata"`
	}] `xml:"field"`
}

type pages struct {
	strict
	Pages []at[page] `xml:"page"`
}

type page struct {
	strict
	ID          string       `xml:"id,attr"`
	Number      string       `xml:"number,attr"`
	PartOfIndex string       `xml:"part-of-index,attr"`
	Text        string       `xml:"text"`
	Images      []at[images] `xml:"images"`
}

type images struct {
	strict
	Images []at[image] `xml:"image"`
}

type image struct {
	strict
	Type string `xml:"type,attr"`
	Size string `xml:"file-size,attr"`
	URL  string `xml:"url,attr"`
}

type links struct {
	strict
	Links []at[link] `xml:"link"`
}

type link struct {
	strict
	Running       string `xml:"number,attr"`
	Page          string `xml:"number"`
	X             string `xml:"x"`
	Y             string `xml:"y"`
	Width         string `xml:"width"`
	Height        string `xml:"height"`
	AltText       string `xml:"alttext"`
	URL           string `xml:"url"`
	StyleName     string `xml:"stylename"`
	ShapeType     string `xml:"shapetype"`
	PolygonCoords string `xml:"polygoncoords"`
	LinkType      string `xml:"linktype"`
	FileID        string `xml:"fileid"`
	Target        string `xml:"target"`
	UseMask       string `xml:"usemask"`
	Param         string `xml:"param"`
}

type orders struct {
	strict
	Count    string      `xml:"count,attr"`
	Earliest string      `xml:"earliestOrderDate,attr"`
	Latest   string      `xml:"latestOrderDate,attr"`
	Orders   []at[order] `xml:"order"`
}

type order struct {
	strict
	ID           string          `xml:"orderId,attr"`
	Date         string          `xml:"orderDate,attr"`
	CheckoutType string          `xml:"checkoutType,attr"`
	Count        string          `xml:"orderLinesCount,attr"`
	Total        string          `xml:"totalOrderValue,attr"`
	Lines        []at[orderLine] `xml:"orderLine"`
}

type orderLine struct {
	strict
	ProductID   string `xml:"productId"`
	Name        string `xml:"productName"`
	Description string `xml:"productDescription"`
	Price       string `xml:"productPrice"`
	Amount      string `xml:"amount"`
}

type processes struct {
	strict
	Processes []at[process] `xml:"process"`
}

type process struct {
	strict
	GUID     string `xml:"guid,attr"`
	Paper    string `xml:"paper-id,attr"`
	Created  string `xml:"created,attr"`
	Status   string `xml:"status,attr"`
	Progress string `xml:"progress,attr"`
}
