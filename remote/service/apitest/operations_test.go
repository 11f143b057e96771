package apitest

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// successes are parameters with which each operation succeeds, in this order, on a server with the
// import format's example.
var successes = []struct {
	op    *remote.Operation
	pairs []string
}{
	{remote.SearchPapersWithHiearchyByContent, []string{"query", "blumen", "categoryID", "1", "xmlOptions", ""}},
	{remote.SearchPapersByContent, []string{"query", "blumen", "categoryOrPaperID", "3", "xmlOptions", ""}},
	{remote.SearchPapersByCustomFields, []string{"categoryID", "1",
		"xmlOptions", `<options><customfieldcriterias><field name="Season" value="spring"/></customfieldcriterias></options>`}},
	{remote.SearchPapersWithHiearchyByName, []string{"query", "rain & hoses", "categoryID", "1", "xmlOptions", ""}},
	{remote.GetAllPapers, []string{"paperID", "1"}},
	{remote.CreateSignInLink, nil},
	{remote.CreatePreviewToken, []string{"paperID", "3", "validityMinutes", "60", "ip", ""}},
	{remote.GetPaperStructure, []string{"paperID", "3", "includeIndexedText", "true"}},
	{remote.CreateCategory, []string{"parentID", "1", "name", "Ünïcode & <x>", "urlName", "new"}},
	{remote.CreatePaper, []string{"parentID", "1", "name", "]]>", "urlName", "paper"}},
	{remote.CopyPaper, []string{"paperID", "3", "destinationParentID", "1", "name", "Another", "urlName", "", "draft", "true"}},
	{remote.MovePaper, []string{"sourcePaperID", "8", "destinationParentID", "7"}},
	{remote.RenamePaper, []string{"paperID", "8", "name", "renamed", "destinationParentID", "7", "ifVersion", ""}},
	{remote.ChangePaperUrl, []string{"paperID", "8", "newUrl", "other"}},
	{remote.GetPaperUrlFromID, []string{"paperID", "8"}},
	{remote.GetPaperIDFromUrl, []string{"url", "/new/other/"}},
	{remote.SetPublicationPeriod, []string{"paperID", "8", "from", "2031-01-01", "to", "2032-01-01"}},
	{remote.ClearPublicationPeriod, []string{"paperID", "8"}},
	{remote.GetSetting, []string{"paperID", "8", "setting", "iconPdf"}},
	{remote.SetSetting, []string{"paperID", "8", "setting", "iconPdf", "value", "0"}},
	{remote.GetSettingDescriptions, nil},
	{remote.DeletePaper, []string{"paperID", "8"}},
	{remote.GetFlipbookOrdersByType, []string{"paperId", "3", "checkoutType", "CheckoutByPrint"}},
	{remote.GetLicenseOrdersByType, []string{"checkoutType", ""}},
	{remote.CreateDirectory, []string{"parentID", "0", "name", "logos"}},
	{remote.UploadFile, []string{"parentID", "1", "name", "a b.svg", "base64File", "PHN2Zy8+"}},
	{remote.MoveFile, []string{"fileID", "1", "parentID", "1", "name", "c.svg", "replace", "", "replaceVersion", "", "ifVersion", ""}},
	{remote.MoveDirectory, []string{"directoryID", "1", "parentID", "0", "name", "marks", "replace", "", "ifVersion", ""}},
	{remote.GetTree, nil},
	{remote.DeleteFile, []string{"fileID", "1"}},
	{remote.DeleteDirectory, []string{"directoryID", "1"}},
	{remote.GetDeleted, []string{"path", "", "paperID", "", "since", "", "limit", ""}},
	{remote.Restore, []string{"entryID", "2", "path", "", "paperID", "", "since", "", "name", ""}},
	{remote.Purge, []string{"entryID", "1"}},
	{remote.Wait, []string{"after", "", "seconds", "0", "client", "me"}},
	{remote.GetProcessingStatus, []string{"jobGuid", "8e0c2a44-6c5e-4c6a-9f0b-0f6b9b0e7a11"}},
	{remote.ProcessPDF, []string{"paperID", "6", "xmlOptions", "<options/>", "base64Pdf", somePDF}},
	{remote.GetProcessingPapers, nil},
	{remote.ReprocessPaper, []string{"paperID", "6", "xmlOptions", ""}},
	{remote.GetLinks, []string{"paperID", "3"}},
	{remote.AddCustomField, []string{"name", "New", "dataType", "string"}},
	{remote.GetCustomFieldDefinitions, nil},
	{remote.SetCustomFieldValue, []string{"paperID", "3", "fieldName", "New", "value", "a"}},
	{remote.SetMultipleCustomFieldValues, []string{"paperID", "3", "fieldsXml", `<fields><field name="New">b</field></fields>`}},
	{remote.GetCustomFieldValue, []string{"paperID", "3", "fieldName", "New"}},
	{remote.DeleteCustomField, []string{"name", "New"}},
	{remote.GetNumberOfPageviewsPerDay, []string{"paperID", "3", "from", "2031-05-01", "to", "2031-05-04"}},
	{remote.GetNumberOfPageviewsPerPage, []string{"paperID", "3", "from", "2031-05-01", "to", "2031-05-04"}},
	{remote.GetNumberOfVisitorsPerDay, []string{"paperID", "3", "from", "2031-05-01", "to", "2031-05-04"}},
	{remote.GetNumberOfVisitors, []string{"paperID", "3", "from", "2031-05-01", "to", "2031-05-04"}},
}

// withData reports whether an operation's success includes data.
func withData(op *remote.Operation) bool {
	return !op.Changes || strings.HasPrefix(op.Name, "Create") || op == remote.CopyPaper || op == remote.UploadFile || op.Group == "Ripper" || op.Offer == remote.OfferMoves || op == remote.Restore
}

func TestEveryOperationByGetAndByPost(t *testing.T) {
	t.Parallel()
	answers := map[string][]string{}
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		s := imported(t)
		tried := map[*remote.Operation]bool{}
		for _, c := range successes {
			if c.op == remote.ReprocessPaper {
				s.idle()
			}
			r := s.by(method, c.op, c.pairs...)
			require.Equal(t, remote.Success, r.code, "%s %s: %d %s", method, c.op.Name, r.status, r.body)
			require.Equal(t, "text/xml; charset=utf-8", r.header.Get("Content-Type"))
			require.Equal(t, withData(c.op), r.has, c.op.Name)
			if c.op != remote.CreatePreviewToken && c.op != remote.GetTree && c.op.Offer == "" && c.op.Group != "Ripper" { // tokens, GUIDs and versions are new each time; addresses include the host
				answers[method] = append(answers[method], r.body)
			}
			tried[c.op] = true
		}
		for _, op := range offered() {
			require.True(t, tried[op] || op == remote.GetContent, // see TestGetContent
				"this test has no successful call of %s", op.Name)
		}
	}
	require.Equal(t, answers[http.MethodPost], answers[http.MethodGet])
}
