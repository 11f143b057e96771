package apitest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

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
