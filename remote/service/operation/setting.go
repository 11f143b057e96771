package operation

import (
	"strings"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/call"
	"paperfs/remote/service/property"
	"paperfs/remote/service/reader"
	"paperfs/remote/service/store"
)

// readPaperAndSetting reads the parameters that both operations take.
func readPaperAndSetting(c *call.Call) (id int64, s property.Setting, err error) {
	if id, err = c.ID("paperID"); err != nil {
		return 0, s, err
	}
	s, ok := property.FindSetting(c.Param("setting"))
	if !ok {
		return 0, s, answer.Invalid("There is no such setting; GetSettingDescriptions lists them.")
	}
	return id, s, nil
}

func getSetting(c *call.Call, w *answer.Writer) error {
	id, s, err := readPaperAndSetting(c)
	if err != nil {
		return err
	}
	return c.Read(func(tx store.Reader) error {
		if _, err := c.Node(tx, id); err != nil {
			return err
		}
		value, err := s.Value(tx, id)
		if err != nil {
			return err
		}
		c.Message = "The value follows."
		w.Text(s.Name, value)
		return nil
	})
}

func setSetting(c *call.Call, w *answer.Writer) error {
	id, s, err := readPaperAndSetting(c)
	if err != nil {
		return err
	}
	inherit, err := c.Boolean("inherit", false)
	if err != nil {
		return err
	}
	if inherit {
		c.Message = "The setting is inherited again."
		has := func(tx store.Reader) (bool, error) {
			own, err := tx.OwnSettings(id)
			_, set := own[s.Name]
			return !set, err
		}
		return belonging{node: id, parts: []part{{has, func(tx store.Writer) error { return tx.ClearSetting(id, s.Name) }}}}.answer(c, w)
	}
	text, ok := s.Accepts(c.Param("value"))
	if !ok {
		return answer.Invalid("The value of %s has to be %s.", s.Name, s.Form())
	}
	if s.Pictured() && text != "" {
		if err := checkPicture(c, text); err != nil {
			return err
		}
	}
	c.Message = "The setting is stored."
	stands := func(tx store.Reader) (bool, error) {
		value, err := s.Value(tx, id)
		return value == text, err
	}
	return belonging{node: id, parts: []part{{stands, func(tx store.Writer) error { return tx.SetSetting(id, s.Name, text) }}}}.answer(c, w)
}

// checkPicture checks that a path in the media library is that of a picture.
func checkPicture(c *call.Call, path string) error {
	_, content, err := c.Service.Reader.OpenFile(c.Context(), func(tx store.Reader) (file store.File, err error) {
		if file, err = reader.FileAt(tx, c.Tenant.ID, path); err == nil && file.Content == "" {
			file.Small, err = tx.SmallContent(file.ID)
		}
		return file, err
	})
	if store.IsNotFound(err) {
		return answer.Invalid("The media library has no file %s.", path)
	}
	if err != nil {
		return err
	}
	defer content.Close()
	if picture, err := reader.IsPicture(content); err != nil {
		return err
	} else if !picture {
		return answer.Invalid("The file %s is not a picture that browsers show.", path)
	}
	return nil
}

// getSettingDescriptions also tells the values of a node that is named: what it inherits, and its own, if it has one.
func getSettingDescriptions(c *call.Call, w *answer.Writer) error {
	var values property.Values
	if c.Param("paperID") != "" {
		err := of(c, c.Node, func(tx store.Reader, n store.Node) (err error) { values, err = property.ValuesOf(tx, n); return err })
		if err != nil {
			return err
		}
	}
	c.Message = "The settings follow."
	w.Open("settings")
	for _, s := range property.Settings {
		attrs := []answer.Attr{answer.String("name", s.Name), answer.String("description", s.Description), answer.String("explanation", s.Explanation), answer.String("type", s.Type)}
		if inherited, is := values.Inherited[s.Name]; is {
			attrs = append(attrs, answer.String("choices", strings.Join(s.Choices(), " ")), answer.String("inherited", inherited))
			if value, has := values.Own[s.Name]; has {
				attrs = append(attrs, answer.String("own", value))
			}
		}
		w.Empty("setting", attrs...)
	}
	w.Close("settings")
	return nil
}

func setPublicationPeriod(c *call.Call, w *answer.Writer) error {
	id, err := c.ID("paperID")
	if err != nil {
		return err
	}
	from, ok := rules.Time(c.Param("from"))
	to, alsoOK := rules.Time(c.Param("to"))
	if !ok || !alsoOK {
		return answer.Invalid("from and to have to be UTC times like 2031-03-01 06:00:00.")
	}
	if !from.Before(to) {
		return answer.Invalid("from has to be before to.")
	}
	c.Message = "The publication period is set."
	return setPeriod(c, w, id, remote.Period{From: from, To: to})
}

func clearPublicationPeriod(c *call.Call, w *answer.Writer) error {
	id, err := c.ID("paperID")
	if err != nil {
		return err
	}
	c.Message = "The publication period is cleared."
	return setPeriod(c, w, id, remote.Period{})
}

func setPeriod(c *call.Call, w *answer.Writer, id int64, p remote.Period) error {
	return changeNode(c, w, id, func(tx store.Reader, n *store.Node) error {
		_, err := c.Paper(tx, id)
		n.Period = p
		return err
	})
}
