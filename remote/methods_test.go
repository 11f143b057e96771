package remote

import (
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// sent returns the parameters of the only request, without the credentials.
func sent(t *testing.T, s *standIn) string {
	t.Helper()
	requests := s.requests()
	require.Len(t, requests, 1)
	values := testrun.Must(url.ParseQuery(requests[0].body))(t)
	for _, p := range []Pair{PL, Plain} {
		values.Del(p.Username)
		values.Del(p.Password)
	}
	text := testrun.Must(url.QueryUnescape(requests[0].path[strings.LastIndexByte(requests[0].path, '/')+1:] + "?" + values.Encode()))(t)
	return text
}

func TestMethodsSendAndRead(t *testing.T) {
	t.Parallel()
	period := Period{time.Date(2031, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600)), time.Date(2031, 2, 1, 0, 0, 0, 0, time.UTC)}
	type outcome = []any
	for request, c := range map[string]struct {
		data string
		call func(c *Client) outcome
		want outcome
	}{
		"GetPaperIDFromUrl?url=/a/": {`<paper id=" 0042 " />`,
			func(c *Client) outcome { id, ok, err := c.GetPaperIDFromUrl(ctx, "/a/"); return outcome{id, ok, err} }, outcome{int64(42), true, nil}},
		"GetPaperIDFromUrl?url=/b/": {``,
			func(c *Client) outcome { id, ok, err := c.GetPaperIDFromUrl(ctx, "/b/"); return outcome{id, ok, err} }, outcome{int64(0), false, nil}},
		"GetPaperUrlFromID?paperID=4": {`<paper url="/a/" />`,
			func(c *Client) outcome { u, err := c.GetPaperUrlFromID(ctx, 4); return outcome{u, err} }, outcome{"/a/", nil}},
		"CreateCategory?name= A&B &parentID=1&urlName=a": {`<paper id="9" />`,
			func(c *Client) outcome {
				id, err := c.CreateCategory(ctx, Node{ID: 1}, " A&B ", "a")
				return outcome{id, err}
			}, outcome{int64(9), nil}},
		"CreatePaper?name=A&parentID=1&urlName=a": {`<paper id="9" />`,
			func(c *Client) outcome {
				id, err := c.CreatePaper(ctx, Node{ID: 1}, "A", "a")
				return outcome{id, err}
			}, outcome{int64(9), nil}},
		"CopyPaper?destinationParentID=1&name=A&paperID=7&urlName=a": {`<paper id="9" />`,
			func(c *Client) outcome {
				id, err := c.CreatePaper(AsCopyOf(ctx, 7), Node{ID: 1}, "A", "a")
				return outcome{id, err}
			}, outcome{int64(9), nil}},
		"MovePaper?destinationParentID=2&sourcePaperID=1": {``, func(c *Client) outcome { return outcome{c.MovePaper(ctx, 1, 2)} }, outcome{nil}},
		"ChangePaperUrl?newUrl=x&paperID=1":               {``, func(c *Client) outcome { return outcome{c.ChangePaperUrl(ctx, 1, "x")} }, outcome{nil}},
		"SetPublicationPeriod?from=2031-01-02 02:04:05&paperID=1&to=2031-02-01 00:00:00": {``,
			func(c *Client) outcome { return outcome{c.SetPublicationPeriod(ctx, 1, period)} }, outcome{nil}},
		"ClearPublicationPeriod?paperID=1": {``, func(c *Client) outcome { return outcome{c.ClearPublicationPeriod(ctx, 1)} }, outcome{nil}},
		"DeletePaper?paperID=1":            {``, func(c *Client) outcome { return outcome{c.DeletePaper(ctx, 1)} }, outcome{nil}},
		"CreateSignInLink?": {"<address>http://a/manage/#once=0d5f</address>",
			func(c *Client) outcome { at, err := c.CreateSignInLink(ctx); return outcome{at, err} }, outcome{"http://a/manage/#once=0d5f", nil}},
		"CreatePreviewToken?ip=&paperID=1&validityMinutes=60": {"<token>\n<![CDATA[ 0d5f ]]>\n</token>",
			func(c *Client) outcome {
				token, err := c.CreatePreviewToken(ctx, 1, 60, "")
				return outcome{token, err}
			}, outcome{"0d5f", nil}},
		"GetSetting?paperID=1&setting=autoMaximize": {"<autoMaximize> \n<![CDATA[false]]></autoMaximize>",
			func(c *Client) outcome { v, err := c.GetSetting(ctx, 1, "autoMaximize"); return outcome{v, err} }, outcome{"false", nil}},
		"SetSetting?paperID=1&setting=a&value= b ": {``, func(c *Client) outcome { return outcome{c.SetSetting(ctx, 1, "a", " b ")} }, outcome{nil}},
		"GetProcessingStatus?jobGuid=g": {"<ProcessStatus>\n <![CDATA[\n Completed ]]></ProcessStatus>",
			func(c *Client) outcome { s, _, err := c.GetProcessingStatus(ctx, "g"); return outcome{s, err} }, outcome{JobCompleted, nil}},
		"GetCustomFieldDefinitions?": {`<fields><field name="A" datatype="string" /><field name="B" type="int"/></fields>`,
			func(c *Client) outcome { f, err := c.GetCustomFieldDefinitions(ctx); return outcome{f, err} }, outcome{[]Field{{"A", "string"}, {"B", "int"}}, nil}},
		"GetCustomFieldValue?fieldName=a&paperID=1": {`<x><field name="Other">no</field><field name="A" type="string" null="False"><![CDATA[ v ]]></field></x>`,
			func(c *Client) outcome {
				v, null, err := c.GetCustomFieldValue(ctx, 1, "a")
				return outcome{v, null, err}
			}, outcome{" v ", false, nil}},
		"GetCustomFieldValue?fieldName=b&paperID=1": {`<field name="b" type="int" null="True"></field>`,
			func(c *Client) outcome {
				v, null, err := c.GetCustomFieldValue(ctx, 1, "b")
				return outcome{v, null, err}
			}, outcome{"", true, nil}},
		"SetCustomFieldValue?fieldName=a&paperID=1&value=v": {``, func(c *Client) outcome { return outcome{c.SetCustomFieldValue(ctx, 1, "a", "v")} }, outcome{nil}},
		`SetMultipleCustomFieldValues?fieldsXml=<fields><field name="a">1 &lt; 2</field><field name="b"></field></fields>&paperID=1`: {``,
			func(c *Client) outcome {
				return outcome{c.SetMultipleCustomFieldValues(ctx, 1, []FieldValue{{"a", "1 < 2"}, {"b", ""}})}
			}, outcome{nil}},
		"AddCustomField?dataType=int&name=a":                   {``, func(c *Client) outcome { return outcome{c.AddCustomField(ctx, "a", "int")} }, outcome{nil}},
		"DeleteCustomField?name=a":                             {``, func(c *Client) outcome { return outcome{c.DeleteCustomField(ctx, "a")} }, outcome{nil}},
		"CreateDirectory?name=a&parentID=0":                    {`<directoryid> 611 </directoryid>`, func(c *Client) outcome { id, err := c.CreateDirectory(ctx, 0, "a"); return outcome{id, err} }, outcome{int64(611), nil}},
		"DeleteFile?fileID=1":                                  {``, func(c *Client) outcome { return outcome{c.DeleteFile(ctx, 1)} }, outcome{nil}},
		"MoveFile?fileID=1&name=a&parentID=2":                  {`<fileid>1</fileid>`, func(c *Client) outcome { id, err := c.MoveFile(ctx, 1, 2, "a", NoFile); return outcome{id, err} }, outcome{int64(1), nil}},
		"MoveFile?fileID=1&name=a&parentID=2&replaceVersion=9": {`<fileid>7</fileid>`, func(c *Client) outcome { id, err := c.MoveFile(ctx, 1, 2, "a", 9); return outcome{id, err} }, outcome{int64(7), nil}},
		"MoveFile?fileID=1&name=a&parentID=2&replace=true":     {`<fileid>7</fileid>`, func(c *Client) outcome { id, err := c.MoveFile(ctx, 1, 2, "a", 0); return outcome{id, err} }, outcome{int64(7), nil}},
		"MoveDirectory?directoryID=1&name=a&parentID=2":        {`<directoryid>1</directoryid>`, func(c *Client) outcome { return outcome{c.MoveDirectory(ctx, 1, 2, "a", false)} }, outcome{nil}},
		"RenamePaper?destinationParentID=2&name=a&paperID=1":   {``, func(c *Client) outcome { return outcome{c.RenamePaper(ctx, 1, "a", 2)} }, outcome{nil}},
		"DeleteDirectory?directoryID=1":                        {``, func(c *Client) outcome { return outcome{c.DeleteDirectory(ctx, 1)} }, outcome{nil}},
		"GetTree?": {`<directory directoryid="1" name="A &amp; B" x="y"><directory directoryid="2" name="e" version="-5"/><new><file/></new><file fileid="1" name="f" size="8,5" url="http://h/f" bytes="8600" sha256="ABCD"/></directory><file fileid="2" name="g" size="0"></file>`,
			func(c *Client) outcome { tree, err := c.GetTree(ctx); return outcome{tree, err} },
			outcome{MediaTree{Dirs: []MediaDir{{1, 0, "A & B", 0}, {2, 1, "e", -5}}, Files: []MediaFile{
				{ID: 1, Parent: 1, Name: "f", SizeKB: 9, Bytes: 8600, SHA256: "ABCD", URL: "http://h/f"}, {ID: 2, Name: "g", Bytes: -1}}}, nil}},
		"GetPaperStructure?includeIndexedText=true&paperID=1": {"<paper />",
			func(c *Client) outcome { b, err := c.GetPaperStructure(ctx, 1, true); return outcome{string(b), err} }, outcome{declaration + "<paper />\n", nil}},
		"GetNumberOfPageviewsPerDay?from=2031-01-02&paperID=1&to=2031-02-01": {`<pageviews><day date="2031-01-02" views="3" /><day date="2031-01-03" views="0" /></pageviews>`,
			func(c *Client) outcome {
				d, err := c.GetNumberOfPageviewsPerDay(ctx, 1, period.From, period.To)
				return outcome{d, err}
			}, outcome{[]DayCount{{time.Date(2031, 1, 2, 0, 0, 0, 0, time.UTC), 3}, {time.Date(2031, 1, 3, 0, 0, 0, 0, time.UTC), 0}}, nil}},
		"GetNumberOfPageviewsPerPage?from=2031-01-02&paperID=1&to=2031-02-01": {`<pageviews address="http://h/?a&amp;b"><page number="1" views="3" /><page number="2" views="0" /><link page="2" target="RK-7 &amp; Co" clicks="5" /></pageviews>`,
			func(c *Client) outcome {
				pages, address, err := c.GetNumberOfPageviewsPerPage(ctx, 1, period.From, period.To)
				return outcome{pages, address, err}
			}, outcome{[]PageCount{{1, 3, ""}, {2, 0, ""}, {2, 5, "RK-7 & Co"}}, "http://h/?a&b", nil}},
		"GetNumberOfVisitorsPerDay?from=2031-01-02&paperID=1&to=2031-02-01": {`<visitors><day date="2031-01-02" visitors="3" /></visitors>`,
			func(c *Client) outcome {
				d, err := c.GetNumberOfVisitorsPerDay(ctx, 1, period.From, period.To)
				return outcome{d, err}
			}, outcome{[]DayCount{{time.Date(2031, 1, 2, 0, 0, 0, 0, time.UTC), 3}}, nil}},
		"GetNumberOfVisitors?from=2031-01-02&paperID=1&to=2031-02-01": {`<visitors count="41" />`,
			func(c *Client) outcome {
				n, err := c.GetNumberOfVisitors(ctx, 1, period.From, period.To)
				return outcome{n, err}
			}, outcome{int64(41), nil}},
		"GetFlipbookOrdersByType?checkoutType=&paperId=1": {"<flipbooks />",
			func(c *Client) outcome {
				b, err := c.GetFlipbookOrdersByType(ctx, 1, "")
				return outcome{string(b), err}
			}, outcome{declaration + "<flipbooks />\n", nil}},
		"GetLicenseOrdersByType?checkoutType=x": {"<flipbooks />",
			func(c *Client) outcome { b, err := c.GetLicenseOrdersByType(ctx, "x"); return outcome{string(b), err} }, outcome{declaration + "<flipbooks />\n", nil}},
		"GetSettingDescriptions?": {"<settings />",
			func(c *Client) outcome { b, err := c.GetSettingDescriptions(ctx); return outcome{string(b), err} }, outcome{declaration + "<settings />\n", nil}},
		"SearchPapersWithHiearchyByContent?categoryID=1&query=q&xmlOptions=": {"<papers />",
			func(c *Client) outcome {
				b, err := c.SearchPapersWithHiearchyByContent(ctx, "q", 1)
				return outcome{string(b), err}
			}, outcome{declaration + "<papers />\n", nil}},
		"SearchPapersWithHiearchyByName?categoryID=1&query=q&xmlOptions=": {"<papers />",
			func(c *Client) outcome {
				b, err := c.SearchPapersWithHiearchyByName(ctx, "q", 1)
				return outcome{string(b), err}
			}, outcome{declaration + "<papers />\n", nil}},
		"SearchPapersByContent?categoryOrPaperID=1&query=q&xmlOptions=": {"<results />",
			func(c *Client) outcome {
				b, err := c.SearchPapersByContent(ctx, "q", 1)
				return outcome{string(b), err}
			}, outcome{declaration + "<results />\n", nil}},
		`SearchPapersByCustomFields?categoryID=1&xmlOptions=<options><customfieldcriterias><field name="S" usewildcards="true" value="a&quot;%" /><field name="T" usewildcards="false" value="&lt;" /></customfieldcriterias></options>`: {"<papers />",
			func(c *Client) outcome {
				b, err := c.SearchPapersByCustomFields(ctx, 1, []FieldCriterion{{"S", `a"%`, true}, {"T", "<", false}})
				return outcome{string(b), err}
			}, outcome{declaration + "<papers />\n", nil}},
	} {
		t.Run(request, func(t *testing.T) {
			s, client := serve(t, answers(result(Success, c.data)))
			require.Equal(t, c.want, c.call(client))
			require.Equal(t, request, sent(t, s))

			// A refusal returns the code and no result.
			_, client = serve(t, answers(result(ReadOnly, c.data)))
			out := c.call(client)
			err, _ := out[len(out)-1].(error)
			require.Equal(t, ReadOnly, fails(t, err, Refused).Code)
		})
	}
}

func TestAnswersWithoutWhatWasAskedFor(t *testing.T) {
	t.Parallel()
	_, c := serve(t, answers("<result><code>SUCCESS</code></result>"))
	_, err := c.GetPaperUrlFromID(ctx, 1)
	fails(t, err, Broken)
	_, err = c.GetSetting(ctx, 1, "a")
	fails(t, err, Broken)
	_, _, err = c.GetProcessingStatus(ctx, "g")
	fails(t, err, Broken)
	_, _, err = c.GetCustomFieldValue(ctx, 1, "a")
	fails(t, err, Broken)
	_, err = c.CreatePreviewToken(ctx, 1, 1, "")
	fails(t, err, Broken)
	_, err = c.UploadFile(ctx, 0, "a", content("x"))
	require.True(t, fails(t, err, Broken).Ambiguous)
	nodes := testrun.Must(collect(c, 1))(t)
	require.Empty(t, nodes)
}

func TestCriteriaThatXMLCannotCarryAreNotSent(t *testing.T) {
	t.Parallel()
	s, c := serve(t, lost)
	for _, value := range []string{"\x01", "\xff", "\ufffe"} {
		_, err := c.SearchPapersByCustomFields(ctx, 1, []FieldCriterion{{Name: "a", Value: value}})
		require.Equal(t, InvalidDataFormat, fails(t, err, Refused).Code)
		err = c.SetMultipleCustomFieldValues(ctx, 1, []FieldValue{{"a", value}})
		require.Equal(t, InvalidDataFormat, fails(t, err, Refused).Code)
	}
	require.Empty(t, s.requests())
}

func TestVisitorsErrorIsGivenBack(t *testing.T) {
	t.Parallel()
	s, c := serve(t, answers(result(Success, treeData)))
	stop := errors.New("enough")
	require.Equal(t, stop, c.GetAllPapers(ctx, 7001, func(Node) error { return stop }))
	require.Len(t, s.requests(), 1)
}
