package operation

import (
	"encoding/xml"
	"errors"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/call"
	"paperfs/remote/service/form"
	"paperfs/remote/service/property"
	"paperfs/remote/service/store"
)

func addCustomField(c *call.Call, _ *answer.Writer) error {
	f := store.Field{Name: c.Param("name"), Type: c.Param("dataType")}
	if err := property.CheckField(f); err != nil {
		return err
	}
	c.Message = "The field is defined."
	return c.Write(func(tx store.Writer) error {
		_, err := tx.AddField(c.Tenant.ID, f)
		if errors.Is(err, store.ErrTaken) {
			return answer.Refuse(remote.FieldNameIsNotUnique, "There is a field %s already.", f.Name)
		}
		return err
	})
}

func deleteCustomField(c *call.Call, _ *answer.Writer) error {
	c.Message = "The field and its values are deleted."
	return c.Write(func(tx store.Writer) error {
		f, err := findField(c, tx, c.Param("name"))
		if err != nil {
			return err
		}
		return tx.DeleteField(f.ID)
	})
}

// findField finds a custom field of the caller's tenant.
func findField(c *call.Call, tx store.Reader, name string) (store.Field, error) {
	f, err := tx.Field(c.Tenant.ID, name)
	if store.IsNotFound(err) {
		return f, answer.Refuse(remote.FieldDoesNotExist, "There is no custom field %s.", name)
	}
	return f, err
}

func getCustomFieldDefinitions(c *call.Call, w *answer.Writer) error {
	var fields []store.Field
	err := c.Read(func(tx store.Reader) (err error) {
		fields, err = tx.Fields(c.Tenant.ID)
		return err
	})
	if err != nil {
		return err
	}
	w.Open("fields")
	for _, f := range fields {
		w.Empty("field", answer.String("name", f.Name), answer.String("datatype", f.Type))
	}
	w.Close("fields")
	return nil
}

func getCustomFieldValue(c *call.Call, w *answer.Writer) error {
	return of(c, c.Paper, func(tx store.Reader, n store.Node) error {
		f, err := findField(c, tx, c.Param("fieldName"))
		if err != nil {
			return err
		}
		return writeFieldValue(tx, w, n.ID, f)
	})
}

// writeFieldValue writes a paper's value as an element field.
func writeFieldValue(tx store.Reader, w *answer.Writer, paper int64, f store.Field) error {
	text, found, err := tx.FieldValue(paper, f.ID)
	if err == nil {
		answer.Field(w, f, text, found)
	}
	return err
}

func setCustomFieldValue(c *call.Call, w *answer.Writer) error {
	id, err := c.ID("paperID")
	if err != nil {
		return err
	}
	c.Message = "The value is stored."
	return belonging{id, true, []part{fieldOf(c, id, c.Param("fieldName"), c.Param("value"))}}.answer(c, w)
}

// fieldOf is the value of a paper's field.
func fieldOf(c *call.Call, paper int64, name, text string) part {
	return part{stands: func(tx store.Reader) (bool, error) {
		f, err := findField(c, tx, name)
		if err != nil {
			return false, err
		}
		value, found, err := tx.FieldValue(paper, f.ID)
		canonical, bad := property.FieldValue(f, text)
		return err == nil && (bad == nil && found && value == canonical || !found && text == "" && f.Type != rules.StringType), err
	}, set: func(tx store.Writer) error {
		f, err := findField(c, tx, name)
		if err != nil {
			return err
		}
		return property.SetField(tx, paper, f, text)
	}}
}

// setMultipleCustomFieldValues sets the values in their order. Without ifVersion it is the only operation
// that is not one change: the values before a failure stay set, and the answer names the
// field that failed (contract, 4.6).
func setMultipleCustomFieldValues(c *call.Call, w *answer.Writer) error {
	id, err := c.ID("paperID")
	if err != nil {
		return err
	}
	var values struct {
		XMLName xml.Name `xml:"fields"`
		Fields  []struct {
			Name  string `xml:"name,attr"`
			Value string `xml:",chardata"`
		} `xml:"field"`
	}
	if err := form.ParseDocument(c.Param("fieldsXml"), &values); err != nil {
		return answer.Invalid("fieldsXml is not a document with the root fields: %v.", err)
	}
	o, err := c.Condition()
	if err != nil {
		return err
	}
	all := belonging{node: id, paper: true}
	for _, v := range values.Fields {
		all.parts = append(all.parts, fieldOf(c, id, v.Name, v.Value))
	}
	if o.Sent {
		c.Message = "The values are stored."
		return all.answer(c, w)
	}
	var version int64
	err = c.Read(func(tx store.Reader) error {
		paper, err := c.Paper(tx, id)
		version = paper.Version
		return err
	})
	for i := 0; err == nil && i < len(all.parts); i++ {
		if version, err = (belonging{id, true, all.parts[i : i+1]}).change(c, o); err != nil {
			return ofField(c, err, values.Fields[i].Name)
		}
	}
	if err != nil {
		return err
	}
	c.Message = "The values are stored."
	c.TellVersion(w, version)
	return nil
}

// ofField returns a failure that names the field. The failure of an engine that is away
// has no place for a name and is returned unchanged: the change may even be stored.
func ofField(c *call.Call, err error, name string) error {
	if c.Away(err) != nil {
		return err
	}
	f := *c.Fault(err)
	more := f.Data
	f.Data = func(w *answer.Writer) {
		if more != nil {
			more(w)
		}
		w.Empty("field", answer.String("name", name))
	}
	return &f
}
