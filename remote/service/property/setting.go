package property

import (
	"slices"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

// Setting is one of the service's settings: its description as answered, and
// its value where neither a node nor an ancestor has one.
type Setting struct {
	remote.Setting
	byDefault string
}

// Settings are all there are, by name. Names become element names, so they are
// letters, digits and _. autoMaximize and iconPdf are the documented ones; the
// page of a paper obeys those whose explanation says so.
var Settings = []Setting{
	{remote.Setting{Name: "autoMaximize", Type: "bool", Description: "Open maximised", Explanation: "Whether the viewer fills the window at start."}, "false"},
	{remote.Setting{Name: "backgroundColor", Type: "string", Description: "Background", Explanation: "Colour behind the pages, a name or #rrggbb; the page of a paper obeys it."}, ""},
	{remote.Setting{Name: "iconPdf", Type: "bool", Description: "PDF button", Explanation: "Whether a download button is shown."}, "true"},
	{remote.Setting{Name: "language", Type: "string", Description: "Language", Explanation: "Language of the texts, such as en or de-CH; the page of a paper obeys it."}, "en"},
}

// FindSetting finds a setting by its name.
func FindSetting(name string) (Setting, bool) {
	i := slices.IndexFunc(Settings, func(s Setting) bool { return s.Name == name })
	if i < 0 {
		return Setting{}, false
	}
	return Settings[i], true
}

// Value is the value that holds for a node: its own, else that of its nearest
// ancestor, else the default.
func (s Setting) Value(tx store.Reader, node int64) (string, error) {
	value, found, err := tx.InheritedSetting(node, s.Name)
	if err == nil && !found {
		return s.byDefault, nil
	}
	return value, err
}
