package service

import (
	"paperfs/remote/service/answer"
	"paperfs/remote/service/fault"
	"paperfs/remote/service/property"
	"paperfs/remote/service/store"
)

// paperAndSetting reads the parameters that both operations take.
func (c *call) paperAndSetting() (id int64, s property.Setting, err error) {
	if id, err = c.id("paperID"); err != nil {
		return 0, s, err
	}
	s, ok := property.FindSetting(c.param("setting"))
	if !ok {
		return 0, s, fault.Invalid("There is no such setting; GetSettingDescriptions lists them.")
	}
	return id, s, nil
}

func getSetting(c *call, x *answer.Writer) error {
	id, s, err := c.paperAndSetting()
	if err != nil {
		return err
	}
	return c.read(func(tx store.Reader) error {
		if _, err := c.node(tx, id); err != nil {
			return err
		}
		value, err := s.Value(tx, id)
		if err != nil {
			return err
		}
		c.message = "The value follows."
		x.Text(s.Name, value)
		return nil
	})
}

func setSetting(c *call, _ *answer.Writer) error {
	id, s, err := c.paperAndSetting()
	if err != nil {
		return err
	}
	text, ok := s.Accepts(c.param("value"))
	if !ok {
		return fault.Invalid("The value of %s has to be %s.", s.Name, s.Form())
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
	for _, s := range property.Settings {
		x.Empty("setting", answer.String("name", s.Name), answer.String("description", s.Description), answer.String("explanation", s.Explanation), answer.String("type", s.Type))
	}
	x.Close("settings")
	return nil
}
