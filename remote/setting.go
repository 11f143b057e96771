package remote

import (
	"context"

	"paperfs/remote/xmlscan"
)

// GetSetting returns the value of a setting of a node, inherited ones included.
func (c *Client) GetSetting(ctx context.Context, id int64, name string) (string, error) {
	var value string
	err := c.call(ctx, GetSetting, func() reading {
		var got string
		var ok bool
		return reading{
			// The element is named after the setting: it is the only one.
			data: func(s *xmlscan.Scanner) error {
				return s.EachChild(func() (err error) {
					if !ok {
						ok = true
						got, err = s.TextLeaf()
					}
					return err
				})
			},
			check: func() error {
				if !ok {
					return broken("the answer has no value")
				}
				value = got
				return nil
			},
		}
	}, decimal(id), name)
	return value, err
}

// SetSetting sets a node's own value of a setting.
func (c *Client) SetSetting(ctx context.Context, id int64, name, value string) error {
	return c.call(ctx, SetSetting, nil, decimal(id), name, value)
}

// GetSettingDescriptions returns the document of all settings; see
// ParseSettingDescriptions.
func (c *Client) GetSettingDescriptions(ctx context.Context) ([]byte, error) {
	return c.document(ctx, GetSettingDescriptions)
}

// ParseSettingDescriptions reads the document of GetSettingDescriptions.
func ParseSettingDescriptions(b []byte) ([]Setting, error) {
	var settings []Setting
	err := eachElement(b, func(s *xmlscan.Scanner) error {
		if name := s.AttrText("name"); s.Is("setting") && name != "" {
			settings = append(settings, Setting{Name: name, Description: s.AttrText("description"),
				Explanation: s.AttrText("explanation"), Type: s.AttrText("type")})
		}
		return nil
	})
	return settings, err
}

// eachElement calls f for each start tag of a document, its root included.
func eachElement(b []byte, f func(s *xmlscan.Scanner) error) error {
	s := xmlscan.NewBytes(b)
	if _, err := s.Next(); err != nil {
		return err
	}
	if err := f(s); err != nil {
		return err
	}
	if s.Depth() > 0 {
		if err := s.EachBelow(func() error { return f(s) }); err != nil {
			return err
		}
	}
	_, err := s.Next()
	return err
}
