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
	{remote.Setting{Name: "autoMaximize", Type: "bool", Description: "Open maximised", Explanation: "Whether the reader's bar is hidden until it is wanted, so that the pages fill the window."}, "false", form{}},
	{remote.Setting{Name: "backgroundColor", Type: "string", Description: "Background", Explanation: "Colour behind the pages, a name or #rrggbb; empty for the reader's own."}, "", color},
	{remote.Setting{Name: "checkout", Type: "string", Description: "Checkouts", Explanation: "How a basket is ordered: checkout types with blanks between them, each one button; empty for no basket."}, "", checkouts},
	{remote.Setting{Name: "currency", Type: "string", Description: "Currency", Explanation: "Text after prices, such as EUR; empty for none."}, "", currency},
	{remote.Setting{Name: "iconPdf", Type: "bool", Description: "PDF button", Explanation: "Whether a download button is shown."}, "false", form{}},
	{remote.Setting{Name: "iconPrint", Type: "bool", Description: "Print button", Explanation: "Whether the reader has a button that prints the pages."}, "true", form{}},
	{remote.Setting{Name: "language", Type: "string", Description: "Language", Explanation: "Language of the texts and of the reader's buttons, such as en or de-CH; the reader speaks en, de, fr, da, nl and es."}, "en", languageTag},
	{remote.Setting{Name: "maxZoom", Type: "int", Description: "Largest zoom", Explanation: "How far the reader enlarges pages, in percent, from 100 to 1000."}, "400", between(100, 1000)},
	{remote.Setting{Name: "pageLayout", Type: "string", Description: "Page layout", Explanation: "How the reader shows pages where there is room: spread (two side by side) or single."}, "spread", oneOf("spread", "single")},
	{remote.Setting{Name: "shopEmail", Type: "string", Description: "Shop's e-mail", Explanation: "Address that CheckoutByEmail writes to; without it there is no such button."}, "", email},
	{remote.Setting{Name: "shopExportUrl", Type: "string", Description: "Shop's export", Explanation: "Address (https) that CheckoutByExport sends the basket to, in the reader's browser; without it there is no such button."}, "", exportURL},
	{remote.Setting{Name: "shopPhone", Type: "string", Description: "Shop's telephone", Explanation: "Number that CheckoutBySms and, if it begins with +, CheckoutByWhatsApp write to; without it there is no button for text messages."}, "", phone},
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

// Default returns the value that applies if none is set.
func (s Setting) Default() string { return s.byDefault }
