package remote

import (
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
	"paperfs/remote/xmlscan"
)

func TestParseStructure(t *testing.T) {
	t.Parallel()
	pages, err := ParseStructure([]byte(declaration + `<paper id="7344" name="Spring"><pages>
	  <page id="90211" number="1" part-of-index="True"><text>
	    <![CDATA[ Spring & all ]]></text><images>
	    <image file-size="412" type="1" url="https://h/?a=1&amp;b=2" /><image file-size="130,5" type="Normal" url="u"/><image type="3" url=""/></images></page>
	  <page id="5" number="2" part-of-index="false" /></pages></paper>`))
	require.NoError(t, err)
	require.Equal(t, []Page{
		{ID: 90211, Number: 1, PartOfIndex: true, Text: " Spring & all ", Images: []Image{{"Zoom", 412, "https://h/?a=1&b=2"}, {"Normal", 131, "u"}, {"Thumb", 0, ""}}},
		{ID: 5, Number: 2},
	}, pages)
	for _, bad := range []string{"", "<paper>", "<page/>", `<page id="1"/>`, `<page id="1" number="0"/>`, `<page id="1" number="1"/><a/>`, "text"} {
		_, err := ParseStructure([]byte(bad))
		require.Error(t, err, bad)
	}
	pages = testrun.Must(ParseStructure([]byte("<data />")))(t)
	require.Empty(t, pages)
}

func TestParseHits(t *testing.T) {
	t.Parallel()
	hits, err := ParsePaperHits([]byte(`<papers><paper paperID="7310" name="Garden" url="/g/" parentID="7001" category="True" />
		<paper paperID="7344" name="Spring" url="/g/s/" parentID="7310" category="False" /></papers>`))
	require.NoError(t, err)
	require.Equal(t, []PaperHit{{7310, 7001, CategoryNode, "Garden", "/g/"}, {7344, 7310, PaperNode, "Spring", "/g/s/"}}, hits)
	hits, err = ParsePaperHits([]byte(`<papers><paper id="7344" name="S" url="/s/" lastprocessed="x"><customfields><field name="A">v</field></customfields></paper></papers>`))
	require.NoError(t, err)
	require.Equal(t, []PaperHit{{7344, 0, PaperNode, "S", "/s/"}}, hits)
	_, err = ParsePaperHits([]byte(`<papers><paper name="S"/></papers>`))
	require.Error(t, err)

	pages, err := ParsePageHits([]byte(`<results><result paperID="7" pageNumber="3" paperName="S" paperUrl="/s/" /><result paperID="7" pageNumber="9"/></results>`))
	require.NoError(t, err)
	require.Equal(t, []PageHit{{7, 3, "S", "/s/"}, {PaperID: 7, Page: 9}}, pages)
	_, err = ParsePageHits([]byte(`<results><result paperID="7" pageNumber="x"/></results>`))
	require.Error(t, err)
}

func TestParseSettingDescriptions(t *testing.T) {
	t.Parallel()
	settings := testrun.Must(ParseSettingDescriptions([]byte(`<settings><setting name="a" description="b" explanation="c" type="bool"/><setting/></settings>`)))(t)
	require.Equal(t, []Setting{{"a", "b", "c", "bool"}}, settings)
}

func TestNumber(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"0": 0, " 12 ": 12, "8,5": 9, "8.0": 8, "87,50": 88, "": -1, "x": -1, "-3": -1, "1e3": -1, "1,2,3": -1, "99999999999999999999": -1} {
		require.Equal(t, want, xmlscan.ParseNumber([]byte(text)), text)
	}
}

// TestDaysThatAreNone checks that an invalid day fails the whole call, instead of being left out.
func TestDaysThatAreNone(t *testing.T) {
	t.Parallel()
	const good = `<day date="2031-05-04" views="3" visitors="2"/>`
	day := time.Date(2031, 5, 4, 0, 0, 0, 0, time.UTC)
	for record, ok := range map[string]bool{
		"": true, `<month date="x"/>`: true,
		`<day date="2031-05-05" views="-1" visitors="-1"/>`: false, `<day date="2031-05-05"/>`: false,
		`<day date="4.5.2031" views="1" visitors="1"/>`: false, `<day views="1" visitors="1"/>`: false, `<day date="" views="1" visitors="1"/>`: false,
	} {
		_, c := serve(t, answers(result(Success, "<days>"+record+good+"</days>")))
		views, err := c.GetNumberOfPageviewsPerDay(t.Context(), 7, day, day)
		visitors, alsoErr := c.GetNumberOfVisitorsPerDay(t.Context(), 7, day, day)
		if !ok {
			fails(t, err, Broken)
			fails(t, alsoErr, Broken)
			continue
		}
		require.NoError(t, err)
		require.NoError(t, alsoErr)
		require.Equal(t, []DayCount{{day, 3}}, views, record)
		require.Equal(t, []DayCount{{day, 2}}, visitors, record)
	}
}

// TestPagesThatAreNone checks that an invalid page fails the whole call.
func TestPagesThatAreNone(t *testing.T) {
	t.Parallel()
	const good = `<page number="2" views="3"/>`
	day := time.Date(2031, 5, 4, 0, 0, 0, 0, time.UTC)
	for record, ok := range map[string]bool{
		"": true, `<cover views="x"/>`: true,
		`<page number="1"/>`: false, `<page views="1"/>`: false, `<page number="0" views="1"/>`: false, `<page number="1" views="-1"/>`: false,
		`<link page="x" target="a" clicks="1"/>`: false, `<link page="1" target="a"/>`: false,
	} {
		_, c := serve(t, answers(result(Success, `<pageviews address="a">`+record+good+"</pageviews>")))
		pages, address, err := c.GetNumberOfPageviewsPerPage(t.Context(), 7, day, day)
		if !ok {
			fails(t, err, Broken)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, "a", address)
		require.Equal(t, []PageCount{{2, 3, ""}}, pages, record)
	}
}

// TestPageviewsAreAskedForWhereTheyAreOffered checks that a service that has said what it offers is not asked for more.
func TestPageviewsAreAskedForWhereTheyAreOffered(t *testing.T) {
	t.Parallel()
	day := time.Date(2031, 5, 4, 0, 0, 0, 0, time.UTC)
	for offers, asks := range map[string]int{OfferVersions: 1, OfferVersions + ", " + OfferPages: 2} {
		s, c := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set(OffersHeader, offers)
			_, _ = io.WriteString(w, result(Success, "<pageviews/>"))
		})
		testrun.Must(c.GetNumberOfPageviewsPerDay(t.Context(), 7, day, day))(t)
		_, _, err := c.GetNumberOfPageviewsPerPage(t.Context(), 7, day, day)
		if asks == 1 {
			fails(t, err, NotOffered)
		}
		require.Len(t, s.requests(), asks, offers)
	}
}
