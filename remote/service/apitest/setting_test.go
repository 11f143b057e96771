package apitest

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

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
