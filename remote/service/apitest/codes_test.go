package apitest

import (
	"encoding/base64"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/kit/pdftest"
)

const (
	noCriteria  = "<options/>"
	wildInt     = `<options><customfieldcriterias><field name="PageTarget" value="4%" usewildcards="true"/></customfieldcriterias></options>`
	seasonIs    = `<options><customfieldcriterias><field name="Season" value="x"/></customfieldcriterias></options>`
	setNothing  = `<fields><field name="Nothing">x</field></fields>`
	setMany     = `<fields><field name="PageTarget">many</field></fields>`
	setNoFields = `<fields/>`
)

// provoked lists parameters that provoke the codes of single operations; the test provokes the
// codes common to all operations itself.
var provoked = map[*remote.Operation]map[remote.Code][]string{
	remote.SearchPapersByCustomFields: {
		remote.SearchNoCriteria:  {"categoryID", "1", "xmlOptions", noCriteria},
		remote.SearchNoWildcards: {"categoryID", "1", "xmlOptions", wildInt},
		remote.PaperDoesNotExist: {"categoryID", "999", "xmlOptions", seasonIs},
	},
	remote.MovePaper:               {remote.VersionConflict: {"sourcePaperID", "3", "destinationParentID", "1", "ifVersion", "1"}},
	remote.MoveFile:                {remote.VersionConflict: {"fileID", "1", "parentID", "0", "name", "x", "ifVersion", "1"}},
	remote.MoveDirectory:           {remote.VersionConflict: {"directoryID", "1", "parentID", "0", "name", "x", "ifVersion", "1"}},
	remote.RenamePaper:             {remote.VersionConflict: {"paperID", "3", "name", "x", "ifVersion", "1"}},
	remote.ChangePaperUrl:          {remote.VersionConflict: {"paperID", "3", "newUrl", "x", "ifVersion", "1"}},
	remote.SetPublicationPeriod:    {remote.VersionConflict: {"paperID", "3", "from", "2031-05-01", "to", "2031-05-02", "ifVersion", "1"}},
	remote.ClearPublicationPeriod:  {remote.VersionConflict: {"paperID", "999", "ifVersion", "1"}},
	remote.SetSetting:              {remote.VersionConflict: {"paperID", "3", "setting", "language", "value", "nl", "ifVersion", "1"}},
	remote.DeletePaper:             {remote.VersionConflict: {"paperID", "3", "ifVersion", "1"}},
	remote.UploadFile:              {remote.VersionConflict: {"parentID", "0", "name", "new", "base64File", "", "ifVersion", "1"}},
	remote.DeleteFile:              {remote.VersionConflict: {"fileID", "1", "ifVersion", "1"}},
	remote.DeleteDirectory:         {remote.VersionConflict: {"directoryID", "1", "ifVersion", "1"}},
	remote.Restore:                 {remote.VersionConflict: {"entryID", "1"}},
	remote.GetPaperUrlFromID:       {remote.PaperDoesNotExist: {"paperID", "999"}},
	remote.GetFlipbookOrdersByType: {remote.UnsupportedCheckoutType: {"paperId", "3", "checkoutType", "x"}},
	remote.GetLicenseOrdersByType:  {remote.UnsupportedCheckoutType: {"checkoutType", "x"}},
	remote.AddCustomField: {
		remote.InvalidFieldName:     {"name", "a b", "dataType", "int"},
		remote.InvalidDataType:      {"name", "a", "dataType", "x"},
		remote.FieldNameIsNotUnique: {"name", "SEASON", "dataType", "int"},
	},
	remote.DeleteCustomField: {remote.FieldDoesNotExist: {"name", "Nothing"}},
	remote.SetCustomFieldValue: {
		remote.FieldDoesNotExist:      {"paperID", "3", "fieldName", "Nothing", "value", ""},
		remote.PaperDoesNotExist:      {"paperID", "999", "fieldName", "Season", "value", ""},
		remote.PaperMustNotBeCategory: {"paperID", "1", "fieldName", "Season", "value", ""},
		remote.InvalidDataFormat:      {"paperID", "3", "fieldName", "PageTarget", "value", "many"},
		remote.VersionConflict:        {"paperID", "3", "fieldName", "PageTarget", "value", "77", "ifVersion", "1"},
	},
	remote.SetMultipleCustomFieldValues: {
		remote.FieldDoesNotExist:      {"paperID", "3", "fieldsXml", setNothing},
		remote.PaperDoesNotExist:      {"paperID", "999", "fieldsXml", setNoFields},
		remote.PaperMustNotBeCategory: {"paperID", "1", "fieldsXml", setNoFields},
		remote.InvalidDataFormat:      {"paperID", "3", "fieldsXml", setMany},
		remote.VersionConflict:        {"paperID", "3", "fieldsXml", setMany, "ifVersion", "1"},
	},
	remote.CopyPaper: {
		remote.AlreadyBeingProcessed: {"paperID", "3", "destinationParentID", "1", "name", "a", "urlName", "a"},
	},
	remote.Wait: {remote.Failure: {"after", "", "seconds", "56"}},
	remote.ProcessPDF: {
		remote.AlreadyBeingProcessed:    {"paperID", "3", "xmlOptions", "", "base64Pdf", somePDF},
		remote.InvalidBase64PDF:         {"paperID", "6", "xmlOptions", "", "base64Pdf", "JVBERi0="[1:]},
		remote.LicenseForbidsProcessing: {"paperID", "6", "xmlOptions", "", "base64Pdf", somePDF},
		remote.VersionConflict:          {"paperID", "6", "xmlOptions", "", "base64Pdf", somePDF, "ifVersion", "1"},
	},
	remote.ReprocessPaper: {
		remote.AlreadyBeingProcessed:    {"paperID", "3", "xmlOptions", ""},
		remote.LicenseForbidsProcessing: {"paperID", "6", "xmlOptions", ""},
	},
}

// somePDF is a PDF good enough to queue.
var somePDF = base64.StdEncoding.EncodeToString(pdftest.Text("Regen"))

// neverSent reports whether the service never returns a documented code.
func neverSent(op *remote.Operation, code remote.Code) bool {
	switch code {
	case remote.Failure: // nothing can be wrong with these parameters, or another code says it
		return len(op.Params) == 0 || slices.Contains([]*remote.Operation{
			remote.GetLicenseOrdersByType, remote.AddCustomField, remote.DeleteCustomField,
		}, op)
	case remote.ReadOnly: // documented for the orders, which only read
		return !op.Changes
	case remote.PaperMustNotBeCategory: // documented for a search whose argument is a category
		return op == remote.SearchPapersByCustomFields
	case remote.InvalidBase64PDF: // documented for an operation without a file
		return op == remote.ReprocessPaper
	}
	return false
}

// TestEveryDocumentedCode provokes each code that the contract lists for an operation, by GET and
// by POST. TestEveryOperationByGetAndByPost covers SUCCESS.
func TestEveryDocumentedCode(t *testing.T) {
	t.Parallel()
	s := imported(t)
	wrong := s.as(s.user, "wrong")
	frozen := imported(t)
	require.NoError(t, frozen.admin().SetReadOnly(true))
	outage := imported(t, func(o *service.Options) { o.SearchOutage = true })
	spent := imported(t)
	require.NoError(t, setTenant(spent.admin(), admin.TenantSettings{Name: "default", Processings: new(int64)}))
	busy := imported(t)
	busy.queue("3", pdftest.Forever(), "")
	working := map[*remote.Operation][]string{}
	for _, c := range successes {
		working[c.op] = c.pairs
	}
	s.upload("0", "a", "x")
	s.must(remote.CreateDirectory, "parentID", "0", "name", "d")
	s.must(remote.DeleteFile, "fileID", s.upload("0", "taken", ""))
	s.must(remote.CreateDirectory, "parentID", "0", "name", "taken")
	tree := s.tree()
	for _, op := range offered() {
		for _, code := range op.Codes {
			if code == remote.Success || neverSent(op, code) {
				continue
			}
			server, pairs := s, provoked[op][code]
			switch code {
			case remote.LoginSecurityViolation:
				server, pairs = wrong, blank(op)
			case remote.ReadOnly:
				server, pairs = frozen, blank(op)
			case remote.Failure:
				if pairs == nil {
					pairs = blank(op)
				}
			case remote.AlreadyBeingProcessed:
				server = busy
			case remote.LicenseForbidsProcessing:
				server = spent
			case remote.SearchTemporarilyUnavailable:
				server, pairs = outage, working[op]
			}
			r := server.both(op, pairs...)
			require.Equal(t, code, r.code, "%s: %d %s", op.Name, r.status, r.body)
			require.Equal(t, code, server.accepting(asJSON, op, pairs...).json(t).Code, op.Name)
		}
	}
	require.Equal(t, tree, s.tree(), "a refusal changes nothing")
}
