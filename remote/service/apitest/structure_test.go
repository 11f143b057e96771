package apitest

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/answer"
	"paperfs/remote/testrun"
)

// both calls an operation by POST and by GET and requires the same answer.
func (s *server) both(op *remote.Operation, pairs ...string) reply {
	s.t.Helper()
	get, post := s.by(http.MethodGet, op, pairs...), s.by(http.MethodPost, op, pairs...)
	require.Equal(s.t, post.body, get.body, op.Name)
	return post
}

// flat returns the data without line breaks between elements.
func (r reply) flat() string { return strings.ReplaceAll(r.data, ">\n<", "><") }

func TestGetPaperStructure(t *testing.T) {
	t.Parallel()
	s := imported(t)
	images := `<images><image file-size="412" type="Zoom" url="https://images.example/1.jpg?a=1&amp;b=2" />` +
		`<image file-size="131" type="Normal" url="https://images.example/1n.jpg" /><image file-size="9" type="Thumb" url="https://images.example/1t.jpg" /></images>`
	r := s.both(remote.GetPaperStructure, "paperID", "3", "includeIndexedText", "")
	require.Equal(t, `<paper id="3" name="Spring 2031" url="/garden/spring-2031/"><pages>`+
		`<page id="1" number="1" part-of-index="True">`+images+`</page>`+
		`<page id="2" number="2" part-of-index="False"><images /></page>`+
		`<page id="3" number="3" part-of-index="False"><images /></page></pages></paper>`, r.flat())
	require.Equal(t, r.body, s.must(remote.GetPaperStructure, "paperID", "3", "includeIndexedText", "FALSE").body)

	r = s.both(remote.GetPaperStructure, "paperID", "3", "includeIndexedText", "True")
	require.Equal(t, `<paper id="3" name="Spring 2031" url="/garden/spring-2031/"><pages>`+
		`<page id="1" number="1" part-of-index="True"><text><![CDATA[Spring is here. Rakes from 9.]]></text>`+images+`</page>`+
		`<page id="2" number="2" part-of-index="False"><text><![CDATA[ÜBER   Blumen`+"\n"+`und <Beete> & 100% ]]]]><![CDATA[>]]></text><images /></page>`+
		`<page id="3" number="3" part-of-index="False"><text><![CDATA[]]></text><images /></page></pages></paper>`, r.flat())

	paper := s.paper("2", "empty")
	require.Equal(t, `<paper id="`+paper+`" name="empty" url="/garden/empty/"><pages /></paper>`,
		s.must(remote.GetPaperStructure, "paperID", paper, "includeIndexedText", "1").flat())
	s.fails(remote.PaperMustNotBeCategory, remote.GetPaperStructure, "paperID", "2", "includeIndexedText", "")
	s.fails(remote.PaperDoesNotExist, remote.GetPaperStructure, "paperID", "999", "includeIndexedText", "")
	s.fails(remote.Failure, remote.GetPaperStructure, "paperID", "x", "includeIndexedText", "")
	s.fails(remote.Failure, remote.GetPaperStructure, "paperID", "3", "includeIndexedText", "maybe")
}

func TestDigitImageTypes(t *testing.T) {
	t.Parallel()
	s := imported(t, func(o *service.Options) { o.DigitImageTypes = true })
	r := s.must(remote.GetPaperStructure, "paperID", "3", "includeIndexedText", "true")
	for _, kind := range []string{`file-size="412" type="1"`, `file-size="131" type="2"`, `file-size="9" type="3"`} {
		require.Contains(t, r.data, kind)
	}
	require.Contains(t, s.must(remote.GetPaperStructure, "paperID", "3", "includeIndexedText", "").data, `file-size="412" type="Zoom"`)
}

// TestCDATAStylesMeanTheSame checks that all CDATA styles mean the same to a client, including
// trailing blanks in texts.
func TestCDATAStylesMeanTheSame(t *testing.T) {
	t.Parallel()
	var pages, hits []any
	var values, links []string
	for _, style := range []answer.CDATAStyle{answer.Tight, answer.Padded, answer.None} {
		s := imported(t, func(o *service.Options) { o.CDATA = style })
		s.must(remote.SetCustomFieldValue, "paperID", "6", "fieldName", "Season", "value", " two\n lines ]]> ")
		client := testrun.Must(remote.New(remote.Options{BaseURL: s.http.URL, Username: s.user, Password: s.key}))(t)
		defer client.Close()
		ctx := context.Background()

		b := testrun.Must(client.GetPaperStructure(ctx, 3, true))(t)
		list := testrun.Must(remote.ParseStructure(b))(t)
		pages = append(pages, list)
		value, null, err := client.GetCustomFieldValue(ctx, 6, "Season")
		require.NoError(t, err)
		require.False(t, null)
		values = append(values, value)
		b = testrun.Must(client.GetLinks(ctx, 3))(t)
		links = append(links, strings.Join(strings.Fields(strings.NewReplacer("<![CDATA[", "", "]]>", "").Replace(string(b))), ""))
		b = testrun.Must(client.SearchPapersWithHiearchyByContent(ctx, "beete", 1))(t)
		found := testrun.Must(remote.ParsePaperHits(b))(t)
		hits = append(hits, found)
	}
	require.Equal(t, pages[0], pages[1])
	require.Equal(t, pages[0], pages[2])
	require.Equal(t, "ÜBER   Blumen\nund <Beete> & 100% ]]>", pages[0].([]remote.Page)[1].Text)
	require.Equal(t, []string{" two\n lines ]]> ", " two\n lines ]]> ", " two\n lines ]]> "}, values)
	require.Equal(t, links[0], links[1])
	require.Equal(t, hits[0], hits[1])
	require.Equal(t, hits[0], hits[2])
	require.Len(t, hits[0], 2)
}

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
