package operation

import (
	"paperfs/remote"
	"paperfs/remote/service/call"
)

// Handlers are the operations that the service offers. The table in remote/operation.go
// describes each.
var Handlers = map[*remote.Operation]call.Handler{
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

	remote.CreateSignInLink: createSignInLink,
	remote.CopyPaper:        copyPaper,

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

// Standing are what those operations know whose content may stand already.
var Standing = map[*remote.Operation]call.StandingContent{remote.UploadFile: standingFile, remote.ProcessPDF: standingPDF}
