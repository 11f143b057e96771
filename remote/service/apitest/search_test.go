package apitest

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

const (
	springHit = `<paper paperID="3" name="Spring 2031" url="/garden/spring-2031/" parentID="2" category="False" />`
	gardenHit = `<paper paperID="2" name="Garden tools" url="/garden/" parentID="1" category="True" />`
	rainHits  = `<paper paperID="4" name="pumps" url="/pumps/" parentID="1" category="True" />` +
		`<paper paperID="5" name="old" url="/pumps/old/" parentID="4" category="True" />` +
		`<paper paperID="6" name="Rain &amp; hoses" url="/pumps/old/rain/" parentID="5" category="False" />`
)

func TestSearchHierarchyByContent(t *testing.T) {
	t.Parallel()
	s := imported(t)
	search := func(query, category string) string {
		t.Helper()
		return s.both(remote.SearchPapersWithHiearchyByContent, "query", query, "categoryID", category, "xmlOptions", "<broken").flat()
	}
	for _, query := range []string{"blumen", "über", "ÜBER\t\n Blumen", "  Über blumen "} {
		require.Equal(t, "<papers>"+gardenHit+springHit+rainHits+"</papers>", search(query, "1"), query)
	}
	require.Equal(t, "<papers>"+springHit+"</papers>", search("BLUMEN UND <beete> & 100% ]]>", "2"), "the searched category is left out")
	require.Equal(t, "<papers>"+gardenHit+springHit+"</papers>", search("%", "1"), "no wildcards: a literal %")
	for _, query := range []string{"%lumen", "*", "b_umen", "uber", "Ueber", "blumen  regen", "Spring 2031", "garden"} {
		require.Equal(t, "<papers />", search(query, "1"), query)
	}
}

func TestSearchPagesByContent(t *testing.T) {
	t.Parallel()
	s := imported(t)
	search := func(query, node string) string {
		t.Helper()
		return s.both(remote.SearchPapersByContent, "query", query, "categoryOrPaperID", node, "xmlOptions", "").flat()
	}
	spring := func(page int) string {
		return fmt.Sprintf(`<result paperID="3" pageNumber="%d" paperName="Spring 2031" paperUrl="/garden/spring-2031/" />`, page)
	}
	rain := `<result paperID="6" pageNumber="1" paperName="Rain &amp; hoses" paperUrl="/pumps/old/rain/" />`
	require.Equal(t, "<results>"+spring(1)+spring(2)+rain+"</results>", search("E", "1"))
	require.Equal(t, "<results>"+spring(1)+"</results>", search("rakes FROM 9.", "3"))
	require.Equal(t, "<results>"+rain+"</results>", search("e", "6"))
	require.Equal(t, "<results>"+rain+"</results>", search("e", "4"))
	require.Equal(t, "<results />", search("rakes", "6"))
}

func TestSearchHierarchyByName(t *testing.T) {
	t.Parallel()
	s := imported(t)
	search := func(query, category string) string {
		t.Helper()
		return s.both(remote.SearchPapersWithHiearchyByName, "query", query, "categoryID", category, "xmlOptions", "").flat()
	}
	require.Equal(t, "<papers>"+gardenHit+springHit+"</papers>", search("SPRING", "1"))
	require.Equal(t, "<papers>"+gardenHit+springHit+"</papers>", search("ＳPRING\u00a020", "1"), "as texts are")
	require.Equal(t, "<papers>"+gardenHit+"</papers>", search("den  tool", "1"), "a category is found by its own name, without its descendants")
	require.Equal(t, "<papers />", search("pumps", "4"), "the searched category itself is not found")
	require.Equal(t, "<papers />", search("spring-2031", "1"), "addresses are not searched")
}

// TestSearchesIgnoreTheirOptions checks section 3.1 of the contract, to which 3.2 and 4.2
// refer: any value of xmlOptions is ignored.
func TestSearchesIgnoreTheirOptions(t *testing.T) {
	t.Parallel()
	s := imported(t)
	for op, node := range map[*remote.Operation]string{
		remote.SearchPapersWithHiearchyByContent: "categoryID", remote.SearchPapersByContent: "categoryOrPaperID", remote.SearchPapersWithHiearchyByName: "categoryID",
	} {
		for _, options := range []string{"<broken", "<!DOCTYPE x>", "\x01", "\xff", "\uffff"} {
			s.must(op, "query", "e", node, "1", "xmlOptions", options)
		}
		s.fails(remote.Failure, op, "query", "e\x01", node, "1", "xmlOptions", "")
	}
}

var textSearches = map[*remote.Operation]string{
	remote.SearchPapersWithHiearchyByContent: "categoryID", remote.SearchPapersByContent: "categoryOrPaperID", remote.SearchPapersWithHiearchyByName: "categoryID",
}

func TestSearchRefusals(t *testing.T) {
	t.Parallel()
	s := imported(t)
	for op, node := range textSearches {
		s.fails(remote.Failure, op, "query", "", node, "1", "xmlOptions", "")
		s.fails(remote.Failure, op, "query", " \t\n", node, "1", "xmlOptions", "")
		s.fails(remote.Failure, op, "query", "\u00ad", node, "1", "xmlOptions", "") // nothing would be everywhere
		s.fails(remote.Failure, op, "query", strings.Repeat("é", 129), node, "1", "xmlOptions", "")
		s.must(op, "query", " "+strings.Repeat("é", 128)+" ", node, "1", "xmlOptions", "")
		s.fails(remote.PaperDoesNotExist, op, "query", "x", node, "999", "xmlOptions", "")
		for _, id := range []string{"", "0", "x", "-1"} {
			s.fails(remote.Failure, op, "query", "x", node, id, "xmlOptions", "")
		}
		if op != remote.SearchPapersByContent {
			s.fails(remote.Failure, op, "query", "x", node, "3", "xmlOptions", "")
		}
	}
}

func TestSearchOutage(t *testing.T) {
	t.Parallel()
	s := imported(t, func(o *service.Options) { o.SearchOutage = true })
	for op, node := range textSearches {
		s.fails(remote.SearchTemporarilyUnavailable, op, "query", "x", node, "1", "xmlOptions", "")
		s.fails(remote.Failure, op, "query", "", node, "1", "xmlOptions", "")
	}
	s.must(remote.SearchPapersByCustomFields, "categoryID", "1", "xmlOptions", `<options><customfieldcriterias><field name="Season" value="x"/></customfieldcriterias></options>`)
}

// TestSearchTenants checks that a search stays within the caller's tenant.
func TestSearchTenants(t *testing.T) {
	t.Parallel()
	s := imported(t)
	administrator := s.admin()
	require.NoError(t, administrator.AddTenant(admin.TenantSettings{Name: "other", Hosts: []string{"other.example"}, RootURL: "/acme/"}))
	key := testrun.Must(administrator.AddAccount("other", "APIKey", remote.Admin))(t)
	_, err := administrator.Import(strings.NewReader(`<import><fields><field name="Season" datatype="int"/></fields>`+
		`<paper url="/acme/x/p/"><pages><page number="1"><text>Blumen</text></page></pages><customfields><field name="season">7</field></customfields></paper></import>`), "other")
	require.NoError(t, err)
	other := s.at("other.example").as("APIKey", key)
	root := other.must(remote.GetPaperIDFromUrl, "url", "/acme/").attribute(t, "id")
	for op, node := range textSearches {
		other.fails(remote.PaperDoesNotExist, op, "query", "e", node, "1", "xmlOptions", "")
		s.fails(remote.PaperDoesNotExist, op, "query", "e", node, root, "xmlOptions", "")
	}
	r := other.must(remote.SearchPapersByContent, "query", "e", "categoryOrPaperID", root, "xmlOptions", "")
	require.Equal(t, 1, strings.Count(r.data, "<result "))
	require.Contains(t, r.data, `paperUrl="/acme/x/p/"`)
	require.Equal(t, `<fields><field name="Season" datatype="int" /></fields>`, other.must(remote.GetCustomFieldDefinitions).flat())
	other.fails(remote.Failure, remote.GetProcessingStatus, "jobGuid", "8e0c2a44-6c5e-4c6a-9f0b-0f6b9b0e7a11")
	require.Equal(t, "<flipbooks />", other.must(remote.GetLicenseOrdersByType, "checkoutType", "").data)
	_, err = administrator.Import(strings.NewReader(`<import><paper url="/x/"/></import>`), "other")
	require.ErrorContains(t, err, "/acme/")
	_, err = administrator.Import(strings.NewReader(`<import><paper url="/acme/y/"><processes>`+
		`<process guid="8e0c2a44-6c5e-4c6a-9f0b-0f6b9b0e7a11" created="2031-01-01" status="Failed"/></processes></paper></import>`), "other")
	require.ErrorContains(t, err, "belongs to another tenant")
}

// slowSearch is a store whose text searches exceed their time.
type slowSearch struct{ store.Store }

func (s slowSearch) Read(ctx context.Context, f func(store.Reader) error) error {
	return s.Store.Read(ctx, func(tx store.Reader) error { return f(slowReader{tx}) })
}

type slowReader struct{ store.Reader }

func (slowReader) PagesContaining(int64, string) (map[int64][]int, error) {
	return nil, fmt.Errorf("search: %w", store.ErrSlow)
}

// TestASearchThatTakesTooLong checks that the search is reported as temporarily unavailable, and
// that a paper's page with such a search gets 503.
func TestASearchThatTakesTooLong(t *testing.T) {
	t.Parallel()
	s := start(t)
	root := s.root()
	s.paper(root, "spring")
	s.wrapStore(func(inner store.Store) store.Store { return slowSearch{inner} })
	s.fails(remote.SearchTemporarilyUnavailable, remote.SearchPapersByContent, "query", "garden", "categoryOrPaperID", root, "xmlOptions", "")
	s.fails(remote.SearchTemporarilyUnavailable, remote.SearchPapersWithHiearchyByContent, "query", "garden", "categoryID", root, "xmlOptions", "")
	s.must(remote.SearchPapersWithHiearchyByName, "query", "spring", "categoryID", root, "xmlOptions", "")
	refused := s.get(s.http.URL + "/spring/?GoToFirstSearchResult=garden")
	require.Equal(t, http.StatusServiceUnavailable, refused.status, refused.body)
	require.NotEmpty(t, refused.header.Get("Retry-After"))
}

func (s *server) searchFields(criteria, more string) reply {
	s.t.Helper()
	return s.both(remote.SearchPapersByCustomFields, "categoryID", "1",
		"xmlOptions", "<options><customfieldcriterias>"+criteria+"</customfieldcriterias>"+more+"</options>")
}

// found returns the ids of the papers in an answer.
func (r reply) found() string {
	var ids []string
	for _, part := range strings.Split(r.data, `<paper id="`)[1:] {
		id, _, _ := strings.Cut(part, `"`)
		ids = append(ids, id)
	}
	return strings.Join(ids, " ")
}

func TestSearchByCustomFields(t *testing.T) {
	t.Parallel()
	s := imported(t)
	r := s.searchFields(`<field name="Season" usewildcards="true" value="SPR%"/><field name="pagetarget" value="48"/>`,
		`<includedcustomfields includeall="false"><field name="Approved"/><field name="season"/><unknown/></includedcustomfields>`)
	require.Equal(t, remote.Success, r.code)
	require.Equal(t, `<papers><paper id="3" name="Spring 2031" url="/garden/spring-2031/" lastprocessed="2031-02-11 16:40:09" pdffilesize="8120"><customfields>`+
		`<field name="Season" type="string" null="False"><![CDATA[Spring]]></field>`+
		`<field name="PageTarget" type="int" null="False"><![CDATA[48]]></field>`+
		`<field name="Approved" type="bool" null="False"><![CDATA[true]]></field></customfields></paper></papers>`, r.flat())

	r = s.searchFields(`<field name="Season" value="summer"/>`, `<includedcustomfields includeall="True"/>`)
	require.Equal(t, `<papers><paper id="6" name="Rain &amp; hoses" url="/pumps/old/rain/"><customfields>`+
		`<field name="Season" type="string" null="False"><![CDATA[SUMMER]]></field>`+
		`<field name="Approved" type="bool" null="True"><![CDATA[]]></field>`+
		`<field name="PageTarget" type="int" null="False"><![CDATA[48]]></field>`+
		`<field name="Printed" type="datetime" null="True"><![CDATA[]]></field></customfields></paper></papers>`, r.flat(), "the other fields follow by name")
}

func TestSearchByCustomFieldsMatching(t *testing.T) {
	t.Parallel()
	s := imported(t)
	_, err := s.importText(`<import><paper url="/z/"><customfields><field name="Season"></field><field name="Printed">2031-02-01 00:00:01</field><field name="PageTarget">-5</field></customfields></paper>
		<paper url="/m/"><customfields><field name="Season">Montre&#x301;al’s fall</field></customfields></paper></import>`)
	require.NoError(t, err)
	z, m := s.idOf("/z/"), s.idOf("/m/")
	for criteria, want := range map[string]string{
		`<field name="Season" value="spring"/>`:                                   "3",
		`<field name="Season" value="sprin"/>`:                                    "",
		`<field name="Season" value="s%"/>`:                                       "",
		`<field name="Season" value="s%" usewildcards="1"/>`:                      "3 6",
		`<field name="Season" value="%" usewildcards="true"/>`:                    "3 6 " + m + " " + z,
		`<field name="Season" value="montréal's fall"/>`:                          m,
		`<field name="Season" value="％réal's %" usewildcards="true"/>`:            m,
		`<field name="Season" value="" usewildcards="true"/>`:                     z,
		`<field name="Season" value=""/>`:                                         z,
		`<field name="Season" value="%m%R" usewildcards="true"/>`:                 "6",
		`<field name="Season" value="s%u%m%m%er" usewildcards="true"/>`:           "6",
		`<field name="Season" value="%spring%spring%" usewildcards="true"/>`:      "",
		`<field name="Season" value="spr_ng" usewildcards="true"/>`:               "",
		`<field name="PageTarget" value=" 0048 "/>`:                               "3 6",
		`<field name="PageTarget" value="-5"/>`:                                   z,
		`<field name="Approved" value="TRUE"/>`:                                   "3",
		`<field name="Approved" value="0"/>`:                                      "", // null never matches
		`<field name="Printed" value="2031-02-01"/>`:                              "3",
		`<field name="Printed" value="2031-02-01T00:00:00Z"/>`:                    "3",
		`<field name="Printed" value="2031-02-01 00:00:01"/>`:                     z,
		`<field name="Season" value="spring"/><field name="Season" value="x"/>`:   "",
		`<field name="PageTarget" value="48"/><field name="Approved" value="1"/>`: "3",
	} {
		r := s.searchFields(criteria, "")
		require.Equal(t, remote.Success, r.code, "%s: %s", criteria, r.words)
		require.Equal(t, want, r.found(), criteria)
	}
	options := `<options><customfieldcriterias><field name="PageTarget" value="48"/></customfieldcriterias></options>`
	require.Equal(t, "6", s.must(remote.SearchPapersByCustomFields, "categoryID", "4", "xmlOptions", options).found(), "descendants at all depths")
	require.Equal(t, "<papers />", s.must(remote.SearchPapersByCustomFields, "categoryID", "2", "xmlOptions",
		`<options><customfieldcriterias><field name="Season" value="SUMMER"/></customfieldcriterias></options>`).data)
}

func TestSearchByCustomFieldsRefusals(t *testing.T) {
	t.Parallel()
	s := imported(t)
	criterion := `<field name="Season" value="x"/>`
	for options, code := range map[string]remote.Code{
		"":           remote.SearchNoCriteria,
		"  \n":       remote.SearchNoCriteria,
		"<options/>": remote.SearchNoCriteria,
		"<?xml version='1.0' encoding='utf-16'?><!-- c --><options><customfieldcriterias/></options>": remote.SearchNoCriteria,
		"options":                      remote.Failure,
		"<options>":                    remote.Failure,
		"<opt/>":                       remote.Failure,
		"<options/><options/>":         remote.Failure,
		"<options/>x":                  remote.Failure,
		"<!DOCTYPE options><options/>": remote.Failure,
		`<!DOCTYPE options [<!ENTITY a "b">]><options><customfieldcriterias><field name="Season" value="&a;"/></customfieldcriterias></options>`:           remote.Failure,
		`<options><customfieldcriterias><field name="Season" value="&a;"/></customfieldcriterias></options>`:                                               remote.Failure,
		"<options><customfieldcriterias><field name='Nothing' value='x'/></customfieldcriterias></options>":                                                remote.FieldDoesNotExist,
		"<options><customfieldcriterias><field value='x'/></customfieldcriterias></options>":                                                               remote.FieldDoesNotExist,
		"<options><customfieldcriterias>" + criterion + "</customfieldcriterias><includedcustomfields><field name='No'/></includedcustomfields></options>": remote.FieldDoesNotExist,
		"<options><customfieldcriterias>" + criterion + "</customfieldcriterias><includedcustomfields includeall='x'/></options>":                          remote.Failure,
		"<options><customfieldcriterias><field name='Season' usewildcards='x' value='x'/></customfieldcriterias></options>":                                remote.Failure,
		"<options><customfieldcriterias><field name='PageTarget' usewildcards='true' value='4%'/></customfieldcriterias></options>":                        remote.SearchNoWildcards,
		"<options><customfieldcriterias><field name='PageTarget' usewildcards='false' value='4%'/></customfieldcriterias></options>":                       remote.InvalidDataFormat,
		"<options><customfieldcriterias><field name='Approved' value=''/></customfieldcriterias></options>":                                                remote.InvalidDataFormat,
		"<options><customfieldcriterias><field name='Printed' value='31/12/2031'/></customfieldcriterias></options>":                                       remote.InvalidDataFormat,
	} {
		s.fails(code, remote.SearchPapersByCustomFields, "categoryID", "1", "xmlOptions", options)
	}
	many := func(count int) string {
		return "<options><customfieldcriterias>" + strings.Repeat(criterion, count) + "</customfieldcriterias></options>"
	}
	s.must(remote.SearchPapersByCustomFields, "categoryID", "1", "xmlOptions", many(100))
	s.fails(remote.Failure, remote.SearchPapersByCustomFields, "categoryID", "1", "xmlOptions", many(101))
	good := "<options><customfieldcriterias>" + criterion + "</customfieldcriterias></options>"
	s.fails(remote.PaperDoesNotExist, remote.SearchPapersByCustomFields, "categoryID", "999", "xmlOptions", good)
	for _, wrong := range []string{strings.Replace(good, "value=", "usewildcards='x' value=", 1), strings.Replace(good, "</options>", "<includedcustomfields includeall='x'/></options>", 1)} {
		s.fails(remote.Failure, remote.SearchPapersByCustomFields, "categoryID", "999", "xmlOptions", wrong) // checked before the category is looked up
	}
	s.fails(remote.Failure, remote.SearchPapersByCustomFields, "categoryID", "3", "xmlOptions", good)
	s.fails(remote.Failure, remote.SearchPapersByCustomFields, "categoryID", "", "xmlOptions", good)
}
