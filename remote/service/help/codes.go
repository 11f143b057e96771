package help

import (
	"slices"

	"paperfs/remote"
)

// Sent returns the codes that the service may answer an operation with, SUCCESS first: the documented ones, and those that say
// more than ERROR (contract, 2.4, the column "Also"). With strict codes it is only the documented ones.
func Sent(op *remote.Operation) []remote.Code {
	sent := slices.Clone(op.Codes)
	add := func(code remote.Code, sends bool) {
		if sends && !slices.Contains(sent, code) {
			sent = append(sent, code)
		}
	}
	takes := func(names ...string) bool {
		return slices.ContainsFunc(op.All(), func(p string) bool { return slices.Contains(names, p) })
	}
	node := op.Group != "Media" && takes("paperID", "paperId", "categoryID", "categoryOrPaperID", "parentID", "sourcePaperID")
	add(remote.LoginSecurityViolation, true)
	add(remote.ReadOnly, op.Changes)
	add(remote.PaperDoesNotExist, node)
	add(remote.PaperMustNotBeCategory, takes("paperID", "paperId") && !slices.Contains(ofCategories, op))
	add(remote.FieldDoesNotExist, takes("fieldName") || op == remote.SearchPapersByCustomFields)
	add(remote.AlreadyBeingProcessed, op == remote.Restore) // of an earlier PDF
	add(remote.InvalidDataFormat, op == remote.SearchPapersByCustomFields)
	add(remote.SearchTemporarilyUnavailable, takes("query"))
	return sent
}

// ofCategories are the operations whose paperID may be a category's.
var ofCategories = []*remote.Operation{
	remote.GetAllPapers, remote.ChangePaperUrl, remote.GetSetting, remote.SetSetting, remote.GetPaperUrlFromID, remote.DeletePaper,
	remote.RenamePaper, remote.GetDeleted, remote.Restore, remote.GetSettingDescriptions,
}
