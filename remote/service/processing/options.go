package processing

import (
	"encoding/xml"
	"strconv"
	"strings"

	"paperfs/remote/rules"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/form"
	"paperfs/remote/service/pdf"
)

// Options are the xmlOptions of ProcessPDF and ReprocessPaper (contract, 4.4). The
// store keeps them with their job as JSON.
type Options struct {
	From, To        int // pages; 0, 0 = all
	PreserveIndex   bool
	ImportBookmarks bool
	PreserveLinks   bool
	ImportLinks     bool
	LinkStyle       string // of imported links
	LinkTable       string // of products: a media file in enrichment/, without .csv; "" for none
	Password        string
	Watermark       *pdf.Watermark
}

// WithLinks also imports a paper's links and index from the PDF.
const WithLinks = `<options><preserve-index>false</preserve-index><import-bookmarks>true</import-bookmarks>` +
	`<preserve-links>false</preserve-links><import-links>true</import-links><import-links-styleid>1</import-links-styleid></options>`

// optionsDocument is the document in the parameter. The service ignores unknown elements; only
// CheckOptions refuses them.
type optionsDocument struct {
	XMLName         xml.Name      `xml:"options"`
	AllPages        string        `xml:"all-pages"`
	PagesFrom       string        `xml:"pages-from"`
	PagesTo         string        `xml:"pages-to"`
	PreserveIndex   string        `xml:"preserve-index"`
	ImportBookmarks string        `xml:"import-bookmarks"`
	PreserveLinks   string        `xml:"preserve-links"`
	ImportLinks     string        `xml:"import-links"`
	LinkStyle       string        `xml:"import-links-styleid"`
	LinkTable       string        `xml:"custom-link-import-name"`
	Password        string        `xml:"password"`
	Preprocessors   preprocessors `xml:"preprocessors"`
	Unknown         []element     `xml:",any"`
}

type preprocessors struct {
	List    []preprocessor `xml:"preprocessor"`
	Unknown []element      `xml:",any"`
}

type preprocessor struct {
	Name      string    `xml:"name,attr"`
	Text      string    `xml:"text"`
	Opacity   string    `xml:"opacity"`
	FontSize  string    `xml:"font-size"`
	FirstOnly string    `xml:"only-first-page"`
	Unknown   []element `xml:",any"`
}

type element struct{ XMLName xml.Name }

// ReadOptions reads an xmlOptions parameter for a service that processes at most so many
// pages of a PDF.
func ReadOptions(text string, pages int) (Options, error) {
	var d optionsDocument
	if strings.TrimSpace(text) != "" {
		if err := form.ParseDocument(text, &d); err != nil {
			return Options{}, answer.Invalid("xmlOptions is not a document with the root options: %v.", err)
		}
	}
	o := Options{Password: d.Password}
	for _, b := range []struct {
		name, text string
		byDefault  bool
		into       *bool
	}{
		{"preserve-index", d.PreserveIndex, true, &o.PreserveIndex},
		{"import-bookmarks", d.ImportBookmarks, false, &o.ImportBookmarks},
		{"preserve-links", d.PreserveLinks, true, &o.PreserveLinks},
		{"import-links", d.ImportLinks, false, &o.ImportLinks},
	} {
		var ok bool
		if *b.into, ok = rules.Bool(b.text, b.byDefault); !ok {
			return o, answer.Invalid("%s has to be true or false.", b.name)
		}
	}
	if err := o.readRange(d, pages); err != nil {
		return o, err
	}
	if err := o.readLinkStyle(d); err != nil {
		return o, err
	}
	if err := o.readLinkTable(d); err != nil {
		return o, err
	}
	return o, o.readWatermark(d)
}

// readRange reads the page range; if all pages are wanted, it ignores the range. It refuses a
// range of more than most pages, before anything is queued.
func (o *Options) readRange(d optionsDocument, most int) error {
	all, ok := rules.Bool(d.AllPages, true)
	if !ok {
		return answer.Invalid("all-pages has to be true or false.")
	}
	if all {
		return nil
	}
	from, ok := rules.ID(d.PagesFrom)
	to, ok2 := rules.ID(d.PagesTo)
	if !ok || !ok2 || from > to {
		return answer.Invalid("Without all-pages, pages-from and pages-to have to be page numbers from 1, in this order.")
	}
	if to-from >= int64(most) {
		return answer.Invalid("pages-from and pages-to name %d pages; at most %d can be processed for one paper.", to-from+1, most)
	}
	o.From, o.To = int(from), int(to)
	return nil
}

func (o *Options) readLinkStyle(d optionsDocument) error {
	style, ok := rules.IDOrZero(d.LinkStyle)
	switch given := strings.TrimSpace(d.LinkStyle) != ""; {
	case given && !ok:
		return answer.Invalid("import-links-styleid has to be a number.")
	case o.ImportLinks && !given:
		return answer.Invalid("import-links needs import-links-styleid, the number of a style.")
	case given:
		o.LinkStyle = strconv.FormatInt(style, 10)
	}
	return nil
}

func (o *Options) readLinkTable(d optionsDocument) error {
	o.LinkTable = rules.Trim(d.LinkTable)
	switch {
	case o.LinkTable == "":
		return nil
	case !o.ImportLinks:
		return answer.Invalid("custom-link-import-name needs import-links.")
	case rules.MediaName(o.LinkTable+".csv") != rules.None:
		return answer.Invalid("custom-link-import-name has to be the name of a media file in enrichment/, without .csv.")
	}
	return nil
}

// longestWatermark is in bytes.
const longestWatermark = 1000

// readWatermark takes the last watermark among the preprocessors; those of
// other names are ignored as unknown elements are.
func (o *Options) readWatermark(d optionsDocument) error {
	for _, p := range d.Preprocessors.List {
		if p.Name != "watermark" {
			continue
		}
		opacity, err := strconv.ParseFloat(rules.Trim(p.Opacity), 64)
		if err != nil || !(opacity >= 0 && opacity <= 1) {
			return answer.Invalid("The watermark's opacity has to be a number from 0.0 to 1.0.")
		}
		size, ok := rules.ID(p.FontSize)
		if !ok || size > 1000 {
			return answer.Invalid("The watermark's font-size has to be a number from 1 to 1000.")
		}
		// Bool takes an absent value for the default, which a required one has not.
		first, ok := rules.Bool(p.FirstOnly, false)
		if !ok || rules.Trim(p.FirstOnly) == "" {
			return answer.Invalid("The watermark's only-first-page has to be true or false.")
		}
		if rules.Trim(p.Text) == "" || len(p.Text) > longestWatermark {
			return answer.Invalid("The watermark's text has to be 1 to %d bytes.", longestWatermark)
		}
		o.Watermark = &pdf.Watermark{Text: rules.Trim(p.Text), Opacity: opacity, FontSize: int(size), FirstOnly: first}
	}
	return nil
}
