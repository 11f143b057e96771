package property

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"paperfs/remote/rules"
	"paperfs/remote/xmlscan"
)

// Bounds of a table.
const (
	MostRows    = 100_000
	MostColumns = 1_000
	FieldBytes  = 1 << 10
)

// Product describes a product as a table or a link does.
type Product struct {
	ID, Name, Description string
	Price                 string // unit price, a decimal with a point; "" for none
	BadPrice              string // the given price if it is not a number >= 0
	URL, HoverText        string
	Target                string // HTML target of a link to URL
	MediaURL              string // of a picture, film or sound, or a path in the media library
	AsPopup, PopupWidth   string // whether URL is shown over the page, and how wide: texts of any form
}

// Label returns the name of a link to the product.
func (p Product) Label() string { return cmp.Or(p.HoverText, p.Name) }

// ProductTable maps ids to products. Ids are case-sensitive.
type ProductTable map[string]Product

// ErrNoID means that the text has no column Id, so it is not a table of products.
var ErrNoID = errors.New("no column Id")

// ParseProducts reads a table: CSV in UTF-8 with commas or semicolons, whose first row names
// the columns. It ignores unknown columns, rows without an Id, and further rows with
// the Id of an earlier row. The error is meant for people.
func ParseProducts(text []byte) (ProductTable, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if !utf8.Valid(text) {
		return nil, errors.New("it is not in UTF-8")
	}
	for _, separator := range []rune{',', ';'} {
		r := csv.NewReader(bytes.NewReader(text))
		r.Comma, r.FieldsPerRecord, r.ReuseRecord, r.TrimLeadingSpace = separator, -1, true, true
		if tooWide(text, byte(separator), true) {
			continue
		}
		head, err := r.Read()
		if err != nil {
			continue // try the other separator
		}
		columns := columnsOf(head)
		if columns == nil {
			continue
		}
		if tooWide(text, byte(separator), false) {
			return nil, fmt.Errorf("a row has more than %d columns", MostColumns)
		}
		return readRows(r, columns)
	}
	return nil, ErrNoID
}

// tooWide reports whether any row, or only the first one, has more than MostColumns.
// Without this check, csv.Reader would allocate far more memory than the text has bytes.
func tooWide(text []byte, separator byte, first bool) bool {
	quoted, blank := false, true
	columns := 1
	for _, b := range text {
		switch {
		case b == '"':
			quoted, blank = !quoted, false
		case quoted || b == '\r':
		case b == '\n':
			if first && !blank {
				return false
			}
			columns, blank = 1, true
		default:
			blank = false
			if b == separator {
				columns++
			}
			if columns > MostColumns {
				return true
			}
		}
	}
	return false
}

func readRows(r *csv.Reader, columns []*column) (ProductTable, error) {
	t := ProductTable{}
	for rows := 0; ; rows++ {
		row, err := r.Read()
		if err == io.EOF {
			return t, nil
		}
		if err != nil {
			return nil, words(err)
		}
		if rows == MostRows {
			return nil, fmt.Errorf("it has more than %d rows", MostRows)
		}
		p, err := readRow(row, columns)
		if err != nil {
			line, _ := r.FieldPos(0)
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if _, again := t[p.ID]; p.ID != "" && !again {
			t[p.ID] = p
		}
	}
}

// words says what is wrong with a row, and in which line.
func words(err error) error {
	var wrong *csv.ParseError
	if errors.As(err, &wrong) {
		return fmt.Errorf("line %d: %w", wrong.Line, wrong.Err)
	}
	return err
}

// column is a known column.
type column struct {
	name  string
	field func(p *Product) *string
}

var known = []column{
	{"Id", func(p *Product) *string { return &p.ID }},
	{"Name", func(p *Product) *string { return &p.Name }},
	{"Description", func(p *Product) *string { return &p.Description }},
	{"Price", func(p *Product) *string { return &p.Price }},
	{"Url", func(p *Product) *string { return &p.URL }},
	{"HoverText", func(p *Product) *string { return &p.HoverText }},
	{"HrefTarget", func(p *Product) *string { return &p.Target }},
	{"MediaUrl", func(p *Product) *string { return &p.MediaURL }},
	{"AsPopup", func(p *Product) *string { return &p.AsPopup }},
	{"PopupFrameMaxWidth", func(p *Product) *string { return &p.PopupWidth }},
}

// columnsOf returns the known columns, with nil in place of unknown ones. It returns nil
// if there is no column Id.
func columnsOf(head []string) []*column {
	columns := make([]*column, len(head))
	found := false
	for i, name := range head {
		for k := range known {
			if strings.EqualFold(strings.TrimSpace(name), known[k].name) {
				columns[i] = &known[k]
				found = found || k == 0
			}
		}
	}
	if !found {
		return nil
	}
	return columns
}

func readRow(row []string, columns []*column) (p Product, err error) {
	for i, text := range row {
		if i >= len(columns) || columns[i] == nil {
			continue
		}
		if len(text) > FieldBytes {
			return p, fmt.Errorf("%s is longer than %d bytes", columns[i].name, FieldBytes)
		}
		*columns[i].field(&p) = clean(text)
	}
	price, ok := Price(p.Price)
	if !ok {
		p.BadPrice = p.Price
	}
	p.Price = price
	return p, nil
}

// clean removes characters that XML cannot carry, and surrounding white space.
func clean(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) || !xmlscan.CarriesRune(r) {
			return -1
		}
		return r
	}, s))
}

// Price reads a price and returns it in its stored form. For a blank text it returns "", true.
func Price(text string) (string, bool) {
	if strings.TrimSpace(text) == "" {
		return "", true
	}
	price, ok := rules.Decimal(text)
	if !ok || strings.HasPrefix(price, "-") {
		return "", false
	}
	return price, true
}
