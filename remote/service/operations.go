package service

import (
	"strings"

	"paperfs/remote"
	"paperfs/remote/service/answer"
)

// handler carries out one operation. When it is called, all checks are done except
// those of the parameters' values. It writes the children of data to x. An error that it
// returns before it writes becomes the answer's code: an *answer.Fault says which. An
// operation that changes something writes after the change is committed.
type handler func(c *call, w *answer.Writer) error

// handlers are the operations that the service offers. The table in remote/operation.go
// describes each.
var handlers map[*remote.Operation]handler

// An initializer would be a cycle: handlers lead to the help pages, which read the map.
func init() {
	handlers = map[*remote.Operation]handler{
		remote.GetAllPapers:           getAllPapers,
		remote.CreateCategory:         createCategory,
		remote.CreatePaper:            createPaper,
		remote.MovePaper:              movePaper,
		remote.RenamePaper:            renamePaper,
		remote.ChangePaperUrl:         changePaperURL,
		remote.GetPaperUrlFromID:      getPaperURLFromID,
		remote.GetPaperIDFromUrl:      getPaperIDFromURL,
		remote.SetPublicationPeriod:   setPublicationPeriod,
		remote.ClearPublicationPeriod: clearPublicationPeriod,
		remote.DeletePaper:            deletePaper,
		remote.GetSetting:             getSetting,
		remote.SetSetting:             setSetting,
		remote.GetSettingDescriptions: getSettingDescriptions,
		remote.CreatePreviewToken:     createPreviewToken,

		remote.UploadFile:      uploadFile,
		remote.CreateDirectory: createDirectory,
		remote.GetTree:         getTree,
		remote.GetContent:      getContent,
		remote.DeleteFile:      deleteFile,
		remote.DeleteDirectory: deleteDirectory,
		remote.MoveFile:        moveFile,
		remote.MoveDirectory:   moveDirectory,

		remote.GetDeleted: getDeleted,
		remote.Restore:    restore,
		remote.Purge:      purge,
		remote.Wait:       wait,

		remote.GetPaperStructure:       getPaperStructure,
		remote.GetLinks:                getLinks,
		remote.GetFlipbookOrdersByType: getFlipbookOrders,
		remote.GetLicenseOrdersByType:  getLicenseOrders,
		remote.GetProcessingStatus:     getProcessingStatus,

		remote.ProcessPDF:          processPDF,
		remote.ReprocessPaper:      reprocessPaper,
		remote.GetProcessingPapers: getProcessingPapers,

		remote.GetNumberOfPageviewsPerDay:  getNumberOfPageviewsPerDay,
		remote.GetNumberOfPageviewsPerPage: getNumberOfPageviewsPerPage,
		remote.GetNumberOfVisitorsPerDay:   getNumberOfVisitorsPerDay,
		remote.GetNumberOfVisitors:         getNumberOfVisitors,

		remote.SearchPapersWithHiearchyByContent: searchHierarchyByContent,
		remote.SearchPapersWithHiearchyByName:    searchHierarchyByName,
		remote.SearchPapersByContent:             searchPages,
		remote.SearchPapersByCustomFields:        searchByCustomFields,

		remote.AddCustomField:               addCustomField,
		remote.DeleteCustomField:            deleteCustomField,
		remote.GetCustomFieldDefinitions:    getCustomFieldDefinitions,
		remote.GetCustomFieldValue:          getCustomFieldValue,
		remote.SetCustomFieldValue:          setCustomFieldValue,
		remote.SetMultipleCustomFieldValues: setMultipleCustomFieldValues,
	}
}

// findGroup returns the table's spelling of the group in a segment Group.asmx.
func findGroup(segment string) (string, bool) {
	for _, op := range remote.Operations {
		if strings.EqualFold(segment, op.Group+".asmx") {
			return op.Group, true
		}
	}
	return "", false
}

// operation finds an operation that this service offers; nil for none. It compares the
// name exactly, as the platform does.
func (s *Service) operation(group, name string) *remote.Operation {
	for _, op := range remote.Operations {
		if op.Group == group && op.Name == name && s.offers(op) {
			return op
		}
	}
	return nil
}

// documented returns the operation as this service offers it: perhaps without what only paperfs's own
// service has.
func (s *Service) documented(op *remote.Operation) *remote.Operation {
	if !s.options.NoExtended || op.Own == nil {
		return op
	}
	bare := *op
	bare.Own = nil
	return &bare
}

// offers reports whether the service answers the operation.
func (s *Service) offers(op *remote.Operation) bool {
	return op.Served && handlers[op] != nil && !(op.Extended && s.options.NoExtended)
}
