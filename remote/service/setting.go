package service

import (
	"slices"

	"paperfs/remote"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
	"paperfs/remote/service/value"
)

// setting is one of the service's settings: its description as answered, and
// its value where neither a node nor an ancestor has one.
type setting struct {
	remote.Setting
	byDefault string
}

// settings are all there are, by name. Names become element names, so they are
// letters, digits and _. autoMaximize and iconPdf are the documented ones; the
// page of a paper obeys those whose explanation says so.
var settings = []setting{
	{remote.Setting{Name: "autoMaximize", Type: "bool", Description: "Open maximised", Explanation: "Whether the viewer fills the window at start."}, "false"},
	{remote.Setting{Name: "backgroundColor", Type: "string", Description: "Background", Explanation: "Colour behind the pages, a name or #rrggbb; the page of a paper obeys it."}, ""},
	{remote.Setting{Name: "iconPdf", Type: "bool", Description: "PDF button", Explanation: "Whether a download button is shown."}, "true"},
	{remote.Setting{Name: "language", Type: "string", Description: "Language", Explanation: "Language of the texts, such as en or de-CH; the page of a paper obeys it."}, "en"},
}

func findSetting(name string) (setting, bool) {
	i := slices.IndexFunc(settings, func(s setting) bool { return s.Name == name })
	if i < 0 {
		return setting{}, false
	}
	return settings[i], true
}

// settingValue is the value that holds for a node: its own, else that of its
// nearest ancestor, else the default.
func settingValue(tx store.Reader, node int64, s setting) (string, error) {
	value, found, err := tx.InheritedSetting(node, s.Name)
	if err == nil && !found {
		return s.byDefault, nil
	}
	return value, err
}

// inheritedSetting is settingValue by the setting's name.
func inheritedSetting(tx store.Reader, node int64, name string) (string, error) {
	s, _ := findSetting(name)
	return settingValue(tx, node, s)
}

func (c *call) setting() (setting, error) {
	s, ok := findSetting(c.param("setting"))
	if !ok {
		return s, invalid("There is no such setting; GetSettingDescriptions lists them.")
	}
	return s, nil
}

func getSetting(c *call, x *answer.Writer) error {
	id, err := c.id("paperID")
	if err != nil {
		return err
	}
	s, err := c.setting()
	if err != nil {
		return err
	}
	return c.read(func(tx store.Reader) error {
		if _, err := c.node(tx, id); err != nil {
			return err
		}
		value, err := settingValue(tx, id, s)
		if err != nil {
			return err
		}
		c.message = "The value follows."
		x.Text(s.Name, value)
		return nil
	})
}

func setSetting(c *call, _ *answer.Writer) error {
	id, err := c.id("paperID")
	if err != nil {
		return err
	}
	s, err := c.setting()
	if err != nil {
		return err
	}
	text, ok := value.Typed(s.Type, c.param("value"))
	if !ok {
		return invalid("The value does not fit the type %s of %s.", s.Type, s.Name)
	}
	c.message = "The setting is stored."
	return c.write(func(tx store.Writer) error {
		if _, err := c.node(tx, id); err != nil {
			return err
		}
		return tx.SetSetting(id, s.Name, text)
	})
}

func getSettingDescriptions(c *call, x *answer.Writer) error {
	c.message = "The settings follow."
	x.Open("settings")
	for _, s := range settings {
		x.Empty("setting", answer.String("name", s.Name), answer.String("description", s.Description), answer.String("explanation", s.Explanation), answer.String("type", s.Type))
	}
	x.Close("settings")
	return nil
}
