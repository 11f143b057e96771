package apitest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

func TestGetLinks(t *testing.T) {
	t.Parallel()
	s := imported(t)
	r := s.both(remote.GetLinks, "paperID", "3")
	leaf := func(name, value string) string { return "<" + name + "><![CDATA[" + value + "]]></" + name + ">" }
	require.Equal(t, `<root><link number="1">`+leaf("number", "1")+leaf("x", "0.125")+leaf("y", "0.5")+leaf("width", "0.333333333333333")+leaf("height", "0.0000625")+
		leaf("alttext", "Buy")+leaf("url", "")+leaf("stylename", "frame")+leaf("shapetype", "rectangle")+leaf("polygoncoords", "")+
		leaf("linktype", "shopitem")+leaf("fileid", "")+leaf("target", "")+leaf("usemask", "True")+
		leaf("param", "<item><name>Rake</name><descr><![CDATA[a]]]]><![CDATA[></descr></item>")+`</link>`+
		`<link number="2">`+leaf("number", "2")+leaf("x", "0")+leaf("y", "0")+leaf("width", "1")+leaf("height", "1")+
		leaf("alttext", "")+leaf("url", "https://example.org/?a=1&b=2")+leaf("stylename", "")+leaf("shapetype", "")+leaf("polygoncoords", "")+
		leaf("linktype", "url")+leaf("fileid", "")+leaf("target", "")+leaf("usemask", "False")+leaf("param", "")+`</link></root>`, r.flat())
	require.Equal(t, "<root />", s.both(remote.GetLinks, "paperID", "6").data)
	s.fails(remote.PaperMustNotBeCategory, remote.GetLinks, "paperID", "2")
	s.fails(remote.PaperDoesNotExist, remote.GetLinks, "paperID", "999")
	s.fails(remote.Failure, remote.GetLinks, "paperID", "0")
	s.must(remote.DeletePaper, "paperID", s.paperWithLink())
}

// paperWithLink imports a paper with a page and a link, and returns its id.
func (s *server) paperWithLink() string {
	s.t.Helper()
	_, err := s.importText(`<import><paper url="/gone/"><pages><page number="1"><text>x</text></page></pages>` +
		`<root><link><number>1</number><x>0</x><y>0</y><width>1</width><height>1</height></link></root></paper></import>`)
	require.NoError(s.t, err)
	return s.idOf("/gone/")
}
