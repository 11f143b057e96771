package property

import (
	"slices"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

// Setting is one of the service's settings: its description as in answers, and its default value.
type Setting struct {
	remote.Setting
	byDefault string
	form      form // checks values beyond their type
}

// Settings lists all settings by name. Names become element names, so they consist of letters,
// digits and _. autoMaximize and iconPdf are the documented ones. The reader uses those whose
// explanation says so.
var Settings = []Setting{
	{remote.Setting{Name: "accentColor", Type: "string", Description: "Accent colour", Explanation: "Colour of the reader's bars, buttons and links, #rrggbb; empty for the reader's own. Links are made darker or lighter until they can be read."}, "", accent},
	{remote.Setting{Name: "autoMaximize", Type: "bool", Description: "Open maximised", Explanation: "Whether the reader's bar is hidden until it is wanted, so that the pages fill the window."}, "false", form{}},
	{remote.Setting{Name: "backgroundColor", Type: "string", Description: "Background", Explanation: "Colour behind the pages, a name or #rrggbb; empty for the reader's own."}, "", color},
	{remote.Setting{Name: "checkout", Type: "string", Description: "Checkouts", Explanation: "How a basket is ordered: checkout types with blanks between them, each one button; empty for no basket."}, "", checkouts},
	{remote.Setting{Name: "currency", Type: "string", Description: "Currency", Explanation: "Text after prices, such as EUR; empty for none."}, "", currency},
	{remote.Setting{Name: "description", Type: "string", Description: "Description", Explanation: "What search engines and shared links say about the pages, up to 300 characters; empty for the beginning of their text."}, "", description},
	{remote.Setting{Name: "favicon", Type: "string", Description: "Picture in the tab", Explanation: "Path in the media library of the picture that browsers show in a tab, such as brand/tab.png; empty for the logo or, without one, the cover."}, "", picture},
	{remote.Setting{Name: "iconPdf", Type: "bool", Description: "PDF button", Explanation: "Whether a download button is shown."}, "false", form{}},
	{remote.Setting{Name: "iconPrint", Type: "bool", Description: "Print button", Explanation: "Whether the reader has a button that prints the pages."}, "true", form{}},
	{remote.Setting{Name: "language", Type: "string", Description: "Language", Explanation: "Language of the texts and of the reader's buttons, such as en or de-CH; the reader speaks en, de, fr, da, nl and es."}, "en", languageTag},
	{remote.Setting{Name: "logo", Type: "string", Description: "Logo", Explanation: "Path in the media library of the picture at the left of the bar, such as brand/logo.svg; empty for none."}, "", picture},
	{remote.Setting{Name: "maxZoom", Type: "int", Description: "Largest zoom", Explanation: "How far the reader enlarges pages, in percent, from 100 to 1000."}, "400", between(100, 1000)},
	{remote.Setting{Name: "mediaHosts", Type: "string", Description: "Hosts of media", Explanation: "Hosts of pictures, films and sounds that links may show over the pages, with blanks between them; empty for the media library alone."}, "", mediaHosts},
	{remote.Setting{Name: "pageLayout", Type: "string", Description: "Page layout", Explanation: "How the reader shows pages where there is room: spread (two side by side) or single."}, "spread", oneOf("spread", "single")},
	{remote.Setting{Name: store.PublicSetting, Type: "bool", Description: "Public", Explanation: "Whether readers see the paper, or the papers of a category, within their periods; if false, only those with a preview link do."}, "true", form{}},
	{remote.Setting{Name: "publisher", Type: "string", Description: "Publisher", Explanation: "Name of the publisher on pages and for search engines, up to 100 characters; empty for the host of the address."}, "", title},
	{remote.Setting{Name: "shelfOrder", Type: "string", Description: "Order of the shelf", Explanation: "What comes first on the page of a category, unless the reader chooses: name (categories, then papers) or newest."}, "name", oneOf("name", "newest")},
	{remote.Setting{Name: "shelfTitle", Type: "string", Description: "Title of the shelf", Explanation: "Heading of the page of a category in place of the category's name, up to 100 characters; empty for the name."}, "", title},
	{remote.Setting{Name: "shopEmail", Type: "string", Description: "Shop's e-mail", Explanation: "Address that CheckoutByEmail writes to; without it there is no such button."}, "", email},
	{remote.Setting{Name: "shopExportUrl", Type: "string", Description: "Shop's export", Explanation: "Address (https) that CheckoutByExport sends the basket to, in the reader's browser; without it there is no such button."}, "", exportURL},
	{remote.Setting{Name: "shopPhone", Type: "string", Description: "Shop's telephone", Explanation: "Number that CheckoutBySms and, if it begins with +, CheckoutByWhatsApp write to; without it there is no button for text messages."}, "", phone},
	{remote.Setting{Name: "stage", Type: "string", Description: "Stage", Explanation: "Whether the reader is light or dark: light, dark, or auto for what the reader's system prefers."}, "auto", oneOf("auto", "light", "dark")},
}

// FindSetting finds a setting by name.
func FindSetting(name string) (Setting, bool) {
	i := slices.IndexFunc(Settings, func(s Setting) bool { return s.Name == name })
	if i < 0 {
		return Setting{}, false
	}
	return Settings[i], true
}

// Value returns the value for a node: its own, or that of its nearest ancestor that has one, or
// the default.
func (s Setting) Value(tx store.Reader, node int64) (string, error) {
	value, found, err := tx.InheritedSetting(node, s.Name)
	if err == nil && !found {
		return s.byDefault, nil
	}
	return value, err
}

// Pictured reports whether the value is the path of a picture in the media library.
func (s Setting) Pictured() bool { return s.form.words == picture.words }

// Default returns the value that applies if none is set.
func (s Setting) Default() string { return s.byDefault }

// Values are those of a node by the names of settings: its own ones, and for each what it inherits.
type Values struct{ Own, Inherited map[string]string }

// ValuesOf returns the values of a node.
func ValuesOf(tx store.Reader, n store.Node) (v Values, err error) {
	if v.Own, err = tx.OwnSettings(n.ID); err == nil {
		v.Inherited, err = tx.InheritedSettings(n.Parent)
	}
	for _, s := range Settings {
		if _, set := v.Inherited[s.Name]; !set && err == nil {
			v.Inherited[s.Name] = s.byDefault
		}
	}
	return v, err
}
