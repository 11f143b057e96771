package remote

// Operation is one row of the operation table: all that client, server, help
// pages and tests need to know of an operation of the service. Names and
// parameters are the service's own spelling, "Hiearchy" included.
type Operation struct {
	Group  string   // Search, Paper, Ecommerce, Media, Ripper, Link, CustomField, Image, Statistics
	Name   string   // unique over all groups
	Params []string // after the credentials, in the order of the interface document
	Pair   Pair     // which names the credentials go by

	// Extended operations stand outside the interface document (contract,
	// section 4). A service accepts either credential pair for them and may
	// lack them; the client sends both pairs.
	Extended bool
	// Served tells that the embedded service offers the operation. One that
	// is not served answers as an unknown operation.
	Served bool

	// Changes tells that the operation modifies the tenant: a reader may not
	// call it and it is refused in a READONLY window. CreatePreviewToken
	// changes no content and is not marked.
	Changes bool
	// Role is the least role that may call it.
	Role Role
	// Repeat says what may be done after a failure that leaves the outcome
	// unknown (a reset or time-out after sending).
	Repeat Repeat

	// Optional names parameters that may be absent although rule 2 of the
	// contract's 1.4 wants all of them present.
	Optional []string
	// Ignored names parameters that have to be there and may hold anything.
	Ignored []string
	// Bulk names the one parameter that carries a file in base64 and is
	// streamed by both sides. Empty for all but the uploads.
	Bulk string
	// Wrapped operations answer inside a <string> element (contract, 1.7).
	Wrapped bool
	// MaxReply is the most bytes of an answer that the client reads; 0 stands
	// for DefaultMaxReply.
	MaxReply int64
	// Codes are the documented result codes. With strict codes the service
	// reduces any other to ERROR.
	Codes []Code
}

// DefaultMaxReply bounds the answer of an operation that states no bound.
const DefaultMaxReply = 16 << 20

// Path is the operation's path below the base URL.
func (o *Operation) Path() string { return "/V2/" + o.Group + ".asmx/" + o.Name }

// Pair is a pair of credential parameter names (interface document, 5).
type Pair struct{ Username, Password string }

// The two pairs.
var (
	PL    = Pair{"plUsername", "plPassword"}
	Plain = Pair{"username", "password"}
)

// Role of an account; a greater role may do all that a lesser one may.
type Role int

// The roles, least first (contract, 1.5).
const (
	Reader Role = iota
	Editor
	Admin
)

// Repeat is what a client does after a failure of unknown outcome.
type Repeat int

// The policies. Look means: find out first whether the effect is there, in
// the way the method of Client documents.
const (
	Again Repeat = iota
	Look
)

const (
	treeReply     = 2 << 30   // GetAllPapers, GetTree: a million nodes
	documentReply = 512 << 20 // a structure with text, a search without paging
)

var (
	usual       = []Code{Success, Failure}
	usualChange = []Code{Success, Failure, ReadOnly}
	usualLogin  = []Code{Success, Failure, LoginSecurityViolation}
	fieldChange = []Code{Success, Failure, ReadOnly, LoginSecurityViolation, FieldDoesNotExist,
		PaperDoesNotExist, PaperMustNotBeCategory, InvalidDataFormat}
	orderCodes = []Code{Success, Failure, ReadOnly, LoginSecurityViolation, UnsupportedCheckoutType}
	pdfCodes   = []Code{Success, Failure, AlreadyBeingProcessed, InvalidBase64PDF, LicenseForbidsProcessing}
)

// The twenty operations of the interface document, in its order.
var (
	SearchPapersWithHiearchyByContent = &Operation{Group: "Search", Name: "SearchPapersWithHiearchyByContent", Pair: PL, Served: true,
		Params: []string{"query", "categoryID", "xmlOptions"}, Ignored: []string{"xmlOptions"}, MaxReply: documentReply,
		Codes: []Code{Success, Failure, LoginSecurityViolation, SearchTemporarilyUnavailable}}
	SearchPapersByContent = &Operation{Group: "Search", Name: "SearchPapersByContent", Pair: Plain, Served: true,
		Params: []string{"query", "categoryOrPaperID", "xmlOptions"}, Ignored: []string{"xmlOptions"}, MaxReply: documentReply,
		Codes: []Code{Success, Failure, LoginSecurityViolation, SearchTemporarilyUnavailable}}
	SearchPapersByCustomFields = &Operation{Group: "Search", Name: "SearchPapersByCustomFields", Pair: PL, Served: true,
		Params: []string{"categoryID", "xmlOptions"}, MaxReply: documentReply,
		Codes: []Code{Success, Failure, SearchNoWildcards, SearchNoCriteria, PaperDoesNotExist, PaperMustNotBeCategory}}
	GetAllPapers = &Operation{Group: "Paper", Name: "GetAllPapers", Pair: PL, Served: true,
		Params: []string{"paperID"}, Wrapped: true, MaxReply: treeReply, Codes: usual}
	CreatePreviewToken = &Operation{Group: "Paper", Name: "CreatePreviewToken", Pair: Plain, Served: true, Role: Editor,
		Params: []string{"paperID", "validityMinutes", "ip"}, Codes: usualLogin}
	GetPaperStructure = &Operation{Group: "Paper", Name: "GetPaperStructure", Pair: PL, Served: true,
		Params: []string{"paperID", "includeIndexedText"}, MaxReply: documentReply, Codes: usual}
	CreateCategory = &Operation{Group: "Paper", Name: "CreateCategory", Pair: PL, Served: true, Changes: true, Role: Editor, Repeat: Look,
		Params: []string{"parentID", "name", "urlName"}, Codes: usualChange}
	MovePaper = &Operation{Group: "Paper", Name: "MovePaper", Pair: PL, Served: true, Changes: true, Role: Editor,
		Params: []string{"sourcePaperID", "destinationParentID"}, Codes: usualChange}
	ChangePaperUrl = &Operation{Group: "Paper", Name: "ChangePaperUrl", Pair: PL, Served: true, Changes: true, Role: Editor,
		Params: []string{"paperID", "newUrl"}, Codes: usualChange}
	GetSetting = &Operation{Group: "Paper", Name: "GetSetting", Pair: PL, Served: true,
		Params: []string{"paperID", "setting"}, Codes: usual}
	GetPaperUrlFromID = &Operation{Group: "Paper", Name: "GetPaperUrlFromID", Pair: PL, Served: true,
		Params: []string{"paperID"}, Codes: []Code{Success, Failure, PaperDoesNotExist}}
	SetPublicationPeriod = &Operation{Group: "Paper", Name: "SetPublicationPeriod", Pair: PL, Served: true, Changes: true, Role: Editor,
		Params: []string{"paperID", "from", "to"}, Codes: usualChange}
	GetPaperIDFromUrl = &Operation{Group: "Paper", Name: "GetPaperIDFromUrl", Pair: PL, Served: true,
		Params: []string{"url"}, Codes: usual}
	GetSettingDescriptions = &Operation{Group: "Paper", Name: "GetSettingDescriptions", Pair: PL, Served: true, Codes: usual}
	CreatePaper            = &Operation{Group: "Paper", Name: "CreatePaper", Pair: PL, Served: true, Changes: true, Role: Editor, Repeat: Look,
		Params: []string{"parentID", "name", "urlName"}, Codes: usualChange}
	GetFlipbookOrdersByType = &Operation{Group: "Ecommerce", Name: "GetFlipbookOrdersByType", Pair: Plain, Served: true,
		Params: []string{"paperId", "checkoutType"}, Optional: []string{"checkoutType"}, MaxReply: documentReply, Codes: orderCodes}
	UploadFile = &Operation{Group: "Media", Name: "UploadFile", Pair: Plain, Served: true, Changes: true, Role: Editor,
		Params: []string{"parentID", "name", "base64File"}, Bulk: "base64File", Codes: usualLogin}
	CreateDirectory = &Operation{Group: "Media", Name: "CreateDirectory", Pair: Plain, Served: true, Changes: true, Role: Editor, Repeat: Look,
		Params: []string{"parentID", "name"}, Codes: usualLogin}
	GetProcessingStatus = &Operation{Group: "Ripper", Name: "GetProcessingStatus", Pair: PL, Served: true,
		Params: []string{"jobGuid"}, Codes: usual}
	GetLinks = &Operation{Group: "Link", Name: "GetLinks", Pair: Plain, Served: true,
		Params: []string{"paperID"}, MaxReply: documentReply, Codes: usual}
)

// The operations of the contract's section 4.
var (
	DeletePaper = &Operation{Group: "Paper", Name: "DeletePaper", Pair: PL, Extended: true, Served: true, Changes: true, Role: Editor,
		Params: []string{"paperID"}, Codes: usualChange}
	SetSetting = &Operation{Group: "Paper", Name: "SetSetting", Pair: PL, Extended: true, Served: true, Changes: true, Role: Editor,
		Params: []string{"paperID", "setting", "value"}, Codes: usualChange}
	ClearPublicationPeriod = &Operation{Group: "Paper", Name: "ClearPublicationPeriod", Pair: PL, Extended: true, Served: true, Changes: true, Role: Editor,
		Params: []string{"paperID"}, Codes: usualChange}
	SearchPapersWithHiearchyByName = &Operation{Group: "Search", Name: "SearchPapersWithHiearchyByName", Pair: PL, Extended: true, Served: true,
		Params: []string{"query", "categoryID", "xmlOptions"}, Ignored: []string{"xmlOptions"}, MaxReply: documentReply, Codes: usualLogin}
	GetTree = &Operation{Group: "Media", Name: "GetTree", Pair: Plain, Extended: true, Served: true,
		MaxReply: treeReply, Codes: usualLogin}
	DeleteFile = &Operation{Group: "Media", Name: "DeleteFile", Pair: Plain, Extended: true, Served: true, Changes: true, Role: Editor,
		Params: []string{"fileID"}, Codes: usualLogin}
	DeleteDirectory = &Operation{Group: "Media", Name: "DeleteDirectory", Pair: Plain, Extended: true, Served: true, Changes: true, Role: Editor,
		Params: []string{"directoryID"}, Codes: usualLogin}
	GetLicenseOrdersByType = &Operation{Group: "Ecommerce", Name: "GetLicenseOrdersByType", Pair: Plain, Extended: true, Served: true, Role: Admin,
		Params: []string{"checkoutType"}, Optional: []string{"checkoutType"}, MaxReply: documentReply, Codes: orderCodes}
	AddCustomField = &Operation{Group: "CustomField", Name: "AddCustomField", Pair: PL, Extended: true, Served: true, Changes: true, Role: Admin, Repeat: Look,
		Params: []string{"name", "dataType"},
		Codes:  []Code{Success, Failure, ReadOnly, InvalidFieldName, InvalidDataType, FieldNameIsNotUnique}}
	DeleteCustomField = &Operation{Group: "CustomField", Name: "DeleteCustomField", Pair: PL, Extended: true, Served: true, Changes: true, Role: Admin, Repeat: Look,
		Params: []string{"name"}, Codes: []Code{Success, Failure, ReadOnly, FieldDoesNotExist}}
	GetCustomFieldDefinitions = &Operation{Group: "CustomField", Name: "GetCustomFieldDefinitions", Pair: PL, Extended: true, Served: true, Codes: usual}
	GetCustomFieldValue       = &Operation{Group: "CustomField", Name: "GetCustomFieldValue", Pair: PL, Extended: true, Served: true,
		Params: []string{"paperID", "fieldName"}, Codes: usual}
	SetCustomFieldValue = &Operation{Group: "CustomField", Name: "SetCustomFieldValue", Pair: Plain, Extended: true, Served: true, Changes: true, Role: Editor,
		Params: []string{"paperID", "fieldName", "value"}, Codes: fieldChange}
	SetMultipleCustomFieldValues = &Operation{Group: "CustomField", Name: "SetMultipleCustomFieldValues", Pair: Plain, Extended: true, Served: true, Changes: true, Role: Editor,
		Params: []string{"paperID", "fieldsXml"}, Codes: fieldChange}

	ProcessPDF = &Operation{Group: "Ripper", Name: "ProcessPDF", Pair: PL, Extended: true, Served: true, Changes: true, Role: Editor, Repeat: Look,
		Params: []string{"paperID", "xmlOptions", "base64Pdf"}, Bulk: "base64Pdf", Codes: pdfCodes}
	GetProcessingPapers       = &Operation{Group: "Ripper", Name: "GetProcessingPapers", Pair: PL, Extended: true, Served: true, Codes: usual}
	ReprocessPaper            = &Operation{Group: "Ripper", Name: "ReprocessPaper", Pair: PL, Extended: true, Served: true, Changes: true, Role: Editor, Repeat: Look, Params: []string{"paperID", "xmlOptions"}, Codes: pdfCodes}
	GetImageWith2PxDropShadow = &Operation{Group: "Image", Name: "GetImageWith2PxDropShadow", Pair: PL, Extended: true,
		Params: []string{"pageID", "imageType"}, Codes: usual}
	GetNumberOfPageviewsPerDay = &Operation{Group: "Statistics", Name: "GetNumberOfPageviewsPerDay", Pair: PL, Extended: true, Served: true,
		Params: []string{"paperID", "from", "to"}, Codes: usual}
	GetNumberOfVisitorsPerDay = &Operation{Group: "Statistics", Name: "GetNumberOfVisitorsPerDay", Pair: PL, Extended: true, Served: true,
		Params: []string{"paperID", "from", "to"}, Codes: usual}
	GetNumberOfVisitors = &Operation{Group: "Statistics", Name: "GetNumberOfVisitors", Pair: PL, Extended: true, Served: true,
		Params: []string{"paperID", "from", "to"}, Codes: usual}
)

// Operations is the table: the twenty in the interface document's order, then
// the extended ones in the contract's.
var Operations = []*Operation{
	SearchPapersWithHiearchyByContent, SearchPapersByContent, SearchPapersByCustomFields,
	GetAllPapers, CreatePreviewToken, GetPaperStructure, CreateCategory, MovePaper, ChangePaperUrl,
	GetSetting, GetPaperUrlFromID, SetPublicationPeriod, GetPaperIDFromUrl, GetSettingDescriptions, CreatePaper,
	GetFlipbookOrdersByType, UploadFile, CreateDirectory, GetProcessingStatus, GetLinks,

	DeletePaper, SetSetting, ClearPublicationPeriod, SearchPapersWithHiearchyByName,
	GetTree, DeleteFile, DeleteDirectory, ProcessPDF, GetProcessingPapers, ReprocessPaper,
	GetLicenseOrdersByType, AddCustomField, DeleteCustomField, GetCustomFieldDefinitions,
	GetCustomFieldValue, SetCustomFieldValue, SetMultipleCustomFieldValues,
	GetImageWith2PxDropShadow, GetNumberOfPageviewsPerDay, GetNumberOfVisitorsPerDay, GetNumberOfVisitors,
}
