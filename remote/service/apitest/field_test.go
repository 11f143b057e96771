package apitest

import (
	"context"
	"encoding/xml"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/store"
)

func TestCustomFieldDefinitions(t *testing.T) {
	t.Parallel()
	s := start(t)
	require.Equal(t, "<fields />", s.both(remote.GetCustomFieldDefinitions).data)
	for name, kind := range map[string]string{"season": "string", "A_1": "int", strings.Repeat("b", 128): "bool", "Zeit": "datetime"} {
		r := s.must(remote.AddCustomField, "name", name, "dataType", kind)
		require.False(t, r.has)
	}
	require.Equal(t, `<fields><field name="A_1" datatype="int" /><field name="`+strings.Repeat("b", 128)+`" datatype="bool" />`+
		`<field name="season" datatype="string" /><field name="Zeit" datatype="datetime" /></fields>`, s.both(remote.GetCustomFieldDefinitions).flat())
	s.fails(remote.FieldNameIsNotUnique, remote.AddCustomField, "name", "SEASON", "dataType", "string")
	for _, name := range []string{"", " a", "a-b", "ä", strings.Repeat("b", 129), "a\n"} {
		s.fails(remote.InvalidFieldName, remote.AddCustomField, "name", name, "dataType", "string")
	}
	for _, kind := range []string{"", "String", "float", " int"} {
		s.fails(remote.InvalidDataType, remote.AddCustomField, "name", "new", "dataType", kind)
	}
	s.must(remote.DeleteCustomField, "name", "SEASON")
	s.fails(remote.FieldDoesNotExist, remote.DeleteCustomField, "name", "season")
	s.must(remote.AddCustomField, "name", "season", "dataType", "int")
}

func TestCustomFieldValues(t *testing.T) {
	t.Parallel()
	s := start(t)
	for name, kind := range map[string]string{"Text": "string", "Count": "int", "Done": "bool", "When": "datetime"} {
		s.must(remote.AddCustomField, "name", name, "dataType", kind)
	}
	paper := s.paper("1", "p")
	value := func(name string) string {
		t.Helper()
		return s.both(remote.GetCustomFieldValue, "paperID", paper, "fieldName", name).data
	}
	set := func(name, value string) reply {
		t.Helper()
		return s.call(remote.SetCustomFieldValue, "paperID", paper, "fieldName", name, "value", value)
	}
	require.Equal(t, `<field name="Text" type="string" null="True"><![CDATA[]]></field>`, value("TEXT"))
	for _, c := range []struct{ name, in, out string }{
		{"text", " a\n<b> ]]> ", `<field name="Text" type="string" null="False"><![CDATA[ a` + "\n" + `<b> ]]]]><![CDATA[> ]]></field>`},
		{"Text", "", `<field name="Text" type="string" null="False"><![CDATA[]]></field>`},
		{"Count", " 007 ", `<field name="Count" type="int" null="False"><![CDATA[7]]></field>`},
		{"Count", "", `<field name="Count" type="int" null="True"><![CDATA[]]></field>`},
		{"Count", "", `<field name="Count" type="int" null="True"><![CDATA[]]></field>`},
		{"Done", "FALSE", `<field name="Done" type="bool" null="False"><![CDATA[false]]></field>`},
		{"When", "2031-02-01T10:00", `<field name="When" type="datetime" null="False"><![CDATA[2031-02-01 10:00:00]]></field>`},
		{"When", "2031-02-01 00:00:00Z", `<field name="When" type="datetime" null="False"><![CDATA[2031-02-01]]></field>`},
	} {
		r := set(c.name, c.in)
		require.Equal(t, remote.Success, r.code, "%s=%q: %s", c.name, c.in, r.words)
		require.False(t, r.has)
		require.Equal(t, c.out, value(c.name))
	}
	for _, c := range [][2]string{{"Count", "x"}, {"Count", "2147483648"}, {"Done", "perhaps"}, {"When", "tomorrow"}, {"Text", strings.Repeat("x", 4001)}} {
		require.Equal(t, remote.InvalidDataFormat, set(c[0], c[1]).code, "%v", c)
	}
	require.Equal(t, `<field name="When" type="datetime" null="False"><![CDATA[2031-02-01]]></field>`, value("When"))

	for _, op := range []*remote.Operation{remote.GetCustomFieldValue, remote.SetCustomFieldValue} {
		s.fails(remote.FieldDoesNotExist, op, "paperID", paper, "fieldName", "Nothing", "value", "")
		s.fails(remote.PaperMustNotBeCategory, op, "paperID", "1", "fieldName", "Text", "value", "")
		s.fails(remote.PaperDoesNotExist, op, "paperID", "999", "fieldName", "Text", "value", "")
		s.fails(remote.Failure, op, "paperID", "x", "fieldName", "Text", "value", "")
	}

	// Deleting a field definition deletes its values.
	s.must(remote.DeleteCustomField, "name", "When")
	s.must(remote.AddCustomField, "name", "When", "dataType", "datetime")
	require.Contains(t, value("When"), `null="True"`)
}

// TestSetMultipleCustomFieldValues checks that the operation stops at the first failure, names the
// field, and keeps the values set before.
func TestSetMultipleCustomFieldValues(t *testing.T) {
	t.Parallel()
	s := imported(t)
	set := func(xml string) reply {
		t.Helper()
		return s.call(remote.SetMultipleCustomFieldValues, "paperID", "6", "fieldsXml", xml)
	}
	value := func(name string) string {
		t.Helper()
		return s.must(remote.GetCustomFieldValue, "paperID", "6", "fieldName", name).element(t, "field")
	}
	r := set(`<?xml version="1.0"?><fields><field name="Season">Au<![CDATA[tumn]]></field><field name="PageTarget"/><other/></fields>`)
	require.Equal(t, remote.Success, r.code)
	require.False(t, r.has)
	require.Equal(t, "Autumn", value("Season"))
	require.Equal(t, "", value("PageTarget"))

	r = set(`<fields><field name="Season">Winter</field><field name="PageTarget">many</field><field name="Approved">true</field></fields>`)
	require.Equal(t, remote.InvalidDataFormat, r.code)
	require.Equal(t, `<field name="PageTarget" />`, r.data)
	require.Equal(t, "Winter", value("Season"))
	require.Equal(t, "", value("Approved"))
	r = set(`<fields><field name="Nothing&quot;">Winter</field></fields>`)
	require.Equal(t, remote.FieldDoesNotExist, r.code)
	require.Equal(t, `<field name="Nothing&quot;" />`, r.data)
	for _, xml := range []string{"", "Season=x", "<fields>", "<values/>", "<!DOCTYPE fields><fields/>", `<fields><field name="Season">lost</field></fields>x`} {
		require.Equal(t, remote.Failure, set(xml).code, xml)
	}
	require.Equal(t, "Winter", value("Season"))
	good := `<fields><field name="Season">x</field></fields>`
	s.fails(remote.PaperMustNotBeCategory, remote.SetMultipleCustomFieldValues, "paperID", "1", "fieldsXml", good)
	s.fails(remote.PaperDoesNotExist, remote.SetMultipleCustomFieldValues, "paperID", "999", "fieldsXml", good)
	s.fails(remote.Failure, remote.SetMultipleCustomFieldValues, "paperID", "0", "fieldsXml", good)
}

// failingStore fails the second change.
type failingStore struct {
	store.Store
	changes int
	err     error
}

func (f *failingStore) Write(ctx context.Context, tenant int64, change func(store.Writer) error) error {
	if f.changes++; f.changes == 2 {
		return f.err
	}
	return f.Store.Write(ctx, tenant, change)
}

// TestAFieldThatTheServiceCannotSet checks that the failure is reported as for every other change,
// with the field's name where it fits.
func TestAFieldThatTheServiceCannotSet(t *testing.T) {
	t.Parallel()
	for name, one := range map[string]struct {
		err    error
		status int
		data   string
	}{
		"unsure": {&store.UnsureError{Err: store.ErrAway}, http.StatusGatewayTimeout, ""},
		"away":   {store.ErrAway, http.StatusGatewayTimeout, ""}, // the first field has its value
		"full":   {store.ErrNoSpace, http.StatusOK, `<full what="disk" /><field name="b" />`},
		"broken": {errors.New("the disk in bay 7 is gone"), http.StatusOK, `<field name="b" />`},
	} {
		t.Run(name, func(t *testing.T) {
			var log logBuffer
			s := start(t, func(o *service.Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
			for _, field := range []string{"a", "b"} {
				s.must(remote.AddCustomField, "name", field, "dataType", "string")
			}
			paper := s.paper("1", "p")
			s.wrapStore(func(inner store.Store) store.Store { return &failingStore{Store: inner, err: one.err} })
			r := s.call(remote.SetMultipleCustomFieldValues, "paperID", paper, "fieldsXml", `<fields><field name="a">1</field><field name="b">2</field></fields>`)
			require.Equal(t, one.status, r.status, r.body)
			require.Equal(t, one.data, r.flat())
			require.Equal(t, one.status != http.StatusOK, r.header.Get("Retry-After") != "")
			require.Contains(t, log.String(), one.err.Error())
			require.Equal(t, "1", s.must(remote.GetCustomFieldValue, "paperID", paper, "fieldName", "a").element(t, "field"))
		})
	}
}

func (s *server) setting(id, name string) string {
	s.t.Helper()
	return s.must(remote.GetSetting, "paperID", id, "setting", name).element(s.t, name)
}

func TestSettingsAreInherited(t *testing.T) {
	t.Parallel()
	s := start(t)
	root := s.root()
	cat := s.category(root, "a")
	paper := s.paper(cat, "p")
	require.Equal(t, "false", s.setting(paper, "autoMaximize"))
	s.must(remote.SetSetting, "paperID", root, "setting", "autoMaximize", "value", " TRUE ")
	require.Equal(t, "true", s.setting(paper, "autoMaximize"))
	s.must(remote.SetSetting, "paperID", cat, "setting", "autoMaximize", "value", "0")
	require.Equal(t, "false", s.setting(paper, "autoMaximize"))
	s.must(remote.MovePaper, "sourcePaperID", paper, "destinationParentID", root)
	require.Equal(t, "true", s.setting(paper, "autoMaximize"))
	s.reopen()
	require.Equal(t, "false", s.setting(cat, "autoMaximize"))
}

func TestSettingDescriptions(t *testing.T) {
	t.Parallel()
	s := start(t)
	r := s.must(remote.GetSettingDescriptions)
	var list struct {
		Setting []struct {
			Name        string `xml:"name,attr"`
			Description string `xml:"description,attr"`
			Explanation string `xml:"explanation,attr"`
			Type        string `xml:"type,attr"`
		} `xml:"setting"`
	}
	require.NoError(t, xml.Unmarshal([]byte(r.data), &list))
	previous := ""
	for _, d := range list.Setting {
		require.Less(t, previous, d.Name, "settings are sorted by name")
		previous = d.Name
		require.Regexp(t, `^[A-Za-z][A-Za-z0-9_]*$`, d.Name)
		require.Contains(t, []string{"bool", "int", "string", "datetime"}, d.Type)
		require.NotEmpty(t, d.Description)
		require.NotEmpty(t, d.Explanation)
		s.setting(s.root(), d.Name) // GetSetting accepts each
	}
	require.Contains(t, r.data, `name="autoMaximize"`)
	require.Contains(t, r.data, `name="iconPdf"`)
}

func TestSettingsRefused(t *testing.T) {
	t.Parallel()
	s := start(t)
	root := s.root()
	for _, name := range []string{"", "automaximize", "nothing", "a b", "<x>"} {
		s.fails(remote.Failure, remote.GetSetting, "paperID", root, "setting", name)
		s.fails(remote.Failure, remote.SetSetting, "paperID", root, "setting", name, "value", "true")
	}
	for _, value := range []string{"", "yes", "2", "true false"} {
		s.fails(remote.Failure, remote.SetSetting, "paperID", root, "setting", "autoMaximize", "value", value)
	}
	s.fails(remote.Failure, remote.SetSetting, "paperID", root, "setting", "backgroundColor", "value", "a\x01")
	for name, values := range map[string][]string{
		"backgroundColor": {"red;", "#12", "#12345678", "url(x)", " red"}, "language": {"english please", `en"`, "e"},
		"accentColor": {"red", "#12", "0b57d0", "#12345g", "#0b57d0;"}, "stage": {"", "Dark", "dim"}, "logo": {"logo", "logo.pdf", "a\tb.png"}, "description": {strings.Repeat("x", 301), "a\nb"},
		"maxZoom": {"", "99", "1001", "x", "1e2"}, "pageLayout": {"", "Spread", "double"}, "iconPrint": {"", "perhaps"},
		"checkout":  {"Email", "CheckoutByEmail,CheckoutBySms", "CheckoutByEmail CheckoutByEmail"},
		"shopEmail": {"shop", "a b@example.org", "a@b?cc=x@example.org", "shop@example.org,other@example.org"}, "shopPhone": {"1", "call me", "+45&body=x"},
		"shopExportUrl": {"http://shop.example/", "//shop.example/", "https://", "https://a;b/", "https://u:p@shop.example/", "https://shop.example/#x", "https://*.example/"}, "currency": {"EUROPOUND", "<b>", "1"},
	} {
		for _, value := range values {
			r := s.fails(remote.Failure, remote.SetSetting, "paperID", root, "setting", name, "value", value)
			require.Contains(t, r.words, name)
		}
	}
	for name, value := range map[string]string{"backgroundColor": "#FfEeDd", "accentColor": "#0B57d0", "stage": "dark", "description": "Bücher & more", "logo": "", "language": "pt-BR", "maxZoom": "1000", "pageLayout": "single", "iconPrint": "false",
		"checkout": "CheckoutByEmail CheckoutByPrint", "shopEmail": "shop@example.org", "shopPhone": "+45 70 20 30 40", "shopExportUrl": "https://shop.example:8443/basket?x=1", "currency": "€"} {
		s.must(remote.SetSetting, "paperID", root, "setting", name, "value", value)
		require.Equal(t, value, s.setting(root, name))
	}
	s.must(remote.SetSetting, "paperID", root, "setting", "backgroundColor", "value", "")
	s.fails(remote.PaperDoesNotExist, remote.GetSetting, "paperID", "999", "setting", "autoMaximize")
	s.fails(remote.PaperDoesNotExist, remote.SetSetting, "paperID", "999", "setting", "autoMaximize", "value", "true")
	require.Equal(t, "false", s.setting(root, "autoMaximize"))
}
