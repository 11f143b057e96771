package remote

import (
	"context"
	"strings"

	"paperfs/remote/rules"
	"paperfs/remote/xmlscan"
)

// FieldValue is one value for SetMultipleCustomFieldValues.
type FieldValue struct{ Name, Value string }

// GetCustomFieldDefinitions returns all custom fields.
func (c *Client) GetCustomFieldDefinitions(ctx context.Context) ([]Field, error) {
	var fields []Field
	err := c.call(ctx, GetCustomFieldDefinitions, func() reading {
		var got []Field
		return reading{
			element: func(s *xmlscan.Scanner) error {
				if name := s.AttrText("name"); s.Is("field") && name != "" {
					kind := s.AttrText("datatype")
					if kind == "" {
						kind = s.AttrText("type")
					}
					got = append(got, Field{name, kind})
				}
				return nil
			},
			check: func() error { fields = got; return nil },
		}
	})
	return fields, err
}

// GetCustomFieldValue returns a paper's value of a custom field; null means that none is
// set.
func (c *Client) GetCustomFieldValue(ctx context.Context, id int64, name string) (value string, null bool, err error) {
	err = c.call(ctx, GetCustomFieldValue, func() reading {
		var got string
		var isNull, ok bool
		return reading{
			element: func(s *xmlscan.Scanner) (err error) {
				if s.Is("field") && !ok && rules.Same(s.AttrText("name"), name) {
					ok, isNull = true, xmlscan.ParseBool(s.Attr("null"))
					got, err = s.TextLeaf()
				}
				return err
			},
			check: func() error {
				if !ok {
					return broken("the answer has no value of the field")
				}
				value, null = got, isNull
				return nil
			},
		}
	}, decimal(id), name)
	return value, null, err
}

// SetCustomFieldValue sets a paper's value of a custom field. An empty value
// is null for all types but strings.
func (c *Client) SetCustomFieldValue(ctx context.Context, id int64, name, value string) error {
	return c.call(ctx, SetCustomFieldValue, nil, decimal(id), name, value)
}

// SetMultipleCustomFieldValues sets values one after the other; it stops at
// the first that is refused, and those before it stay set.
func (c *Client) SetMultipleCustomFieldValues(ctx context.Context, id int64, values []FieldValue) error {
	var b strings.Builder
	b.WriteString("<fields>")
	for _, v := range values {
		if !xmlscan.Carries(v.Name + v.Value) {
			return &Error{Op: SetMultipleCustomFieldValues.Name, Kind: Refused, Code: InvalidDataFormat,
				Message: "a value has a character that XML cannot carry; nothing was sent", Request: c.requests.Add(1)}
		}
		b.WriteString(`<field name="` + xmlscan.Escape(v.Name) + `">` + xmlscan.Escape(v.Value) + `</field>`)
	}
	b.WriteString("</fields>")
	return c.call(ctx, SetMultipleCustomFieldValues, nil, decimal(id), b.String())
}

// AddCustomField defines a custom field; dataType is datetime, bool, int or
// string. After a failure of unknown outcome it looks into the definitions.
func (c *Client) AddCustomField(ctx context.Context, name, dataType string) error {
	ctx = Patient(ctx)
	return c.changeWithLook(ctx, func() error {
		return c.call(ctx, AddCustomField, nil, name, dataType)
	}, func() (bool, error) {
		f, found, err := c.findField(ctx, name)
		return found && strings.EqualFold(f.Type, dataType), err
	})
}

// DeleteCustomField deletes a custom field and all its values. After a failure
// of unknown outcome it looks into the definitions.
func (c *Client) DeleteCustomField(ctx context.Context, name string) error {
	ctx = Patient(ctx)
	return c.changeWithLook(ctx, func() error {
		return c.call(ctx, DeleteCustomField, nil, name)
	}, func() (bool, error) {
		_, found, err := c.findField(ctx, name)
		return err == nil && !found, err
	})
}

func (c *Client) findField(ctx context.Context, name string) (Field, bool, error) {
	fields, err := c.GetCustomFieldDefinitions(ctx)
	for _, f := range fields {
		if rules.Same(f.Name, name) {
			return f, true, nil
		}
	}
	return Field{}, false, err
}
