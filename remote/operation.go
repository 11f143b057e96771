package remote

import "slices"

// Operation is one row of the operation table: all that the client, the server, help pages
// and tests need to know of an operation. Names and parameters have the service's own
// spelling, including "Hiearchy". remote/service/operation/operation.go names the function that the
// embedded service runs for each row.
type Operation struct {
	Group  string   // Search, Paper, Ecommerce, Media, Ripper, Link, CustomField, Image, Statistics, Deleted, Events, Account
	Name   string   // unique over all groups
	Params []string // after the credentials, in the order of the interface document
	Pair   Pair     // parameter names of the credentials

	// Extended operations are not in the interface document (contract, section 4). A
	// service may lack them, and accepts either credential pair for them; the client
	// sends both pairs.
	Extended bool
	// Served means that the embedded service offers the operation. It answers any other
	// one as an unknown operation.
	Served bool

	// Changes means that the operation modifies the tenant: a reader may not call it, and
	// the service refuses it in a READONLY window. It is false for CreatePreviewToken,
	// which changes no content.
	Changes bool
	// Role is the lowest role that may call it.
	Role Role
	// Repeat is the policy after a failure of unknown outcome (a reset or timeout after
	// sending).
	Repeat Repeat

	// Optional names parameters that may be absent, although rule 2 of the contract's 1.4
	// requires all.
	Optional []string
	// Offer is the word of the header Paperfs-Offers that says that a service has the operation. It
	// is empty for those that other services have.
	Offer string
	// Own names parameters that only paperfs's own service knows (contract, 4.10). Each may be absent.
	Own []string
	// Ignored names parameters that are required and may have any value.
	Ignored []string
	// Bulk names the parameter with a file in base64, which both sides stream. It is
	// empty for all operations except uploads. paperfs's own service also takes it raw.
	Bulk string
	// Wrapped operations answer within a <string> element (contract, 1.7).
	Wrapped bool
	// MaxReply is the most bytes of an answer that the client reads; 0 =
	// DefaultMaxReply.
	MaxReply int64
	// Answer has the members of the data element of an answer, as remote/service/answer.ReadShape reads them: names of
	// attributes and children in their order, * after an element that is repeated, ? after one that may be absent.
	Answer string
	// Codes are the documented result codes. With strict codes the service replaces any
	// other code with ERROR.
	Codes []Code
}

// DefaultMaxReply is the bound of an answer without a bound of its own.
const DefaultMaxReply = 16 << 20

// Path returns the operation's path below the base URL.
func (o *Operation) Path() string { return "/V2/" + o.Group + ".asmx/" + o.Name }

// All returns all parameters after the credentials. Own ones come before a bulk field: the service
// can then judge them before it receives that.
func (o *Operation) All() []string {
	at := len(o.Params)
	if o.Bulk != "" {
		at--
	}
	return slices.Insert(slices.Clone(o.Params), at, o.Own...)
}

// OffersHeader is the header with which paperfs's own service tells callers with good credentials
// what it offers (contract, 4.10), and the words in it.
const (
	OffersHeader = "Paperfs-Offers"
	// ClientHeader has the name of a client: Wait does not tell it of the changes that it sends with it.
	ClientHeader = "Paperfs-Client"

	OfferVersions = "versions"
	OfferMoves    = "moves"
	OfferDeleted  = "deleted" // with the days for which deleted things are kept
	OfferEvents   = "events"
	OfferRaw      = "raw"
	OfferPages    = "pageviews"
	OfferReads    = "reads" // the account may only read
	OfferRate     = "rate"  // with the requests that the account may make in a minute, 0 for no limit
	// OfferRoom is in answers of GetTree and UploadFile, with the bytes that are left of the quota of media files, if there is one.
	OfferRoom = "room"
	// OfferPage says that the service has the publisher's page.
	OfferPage = "manage"
	// OfferPageCounts says that trees and news tell the number of pages of a paper, if it has any.
	OfferPageCounts = "pages"
	OfferCopies     = "copies"
)

// Pair is a pair of credential parameter names (interface document, 5).
type Pair struct{ Username, Password string }

// The two pairs.
var (
	PL    = Pair{"plUsername", "plPassword"}
	Plain = Pair{"username", "password"}
)

// Role of an account. A higher role may do everything that a lower one may.
type Role int

// The roles, lowest first (contract, 1.5).
const (
	Reader Role = iota
	Editor
	Admin
)

// Repeat is what a client does after a failure of unknown outcome.
type Repeat int

// The policies. Look means: first check whether the change took effect, as the method of
// Client documents.
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
		PaperDoesNotExist, PaperMustNotBeCategory, InvalidDataFormat, VersionConflict}
	orderCodes = []Code{Success, Failure, ReadOnly, LoginSecurityViolation, UnsupportedCheckoutType}
	judged     = []string{ifVersion}
	pdfCodes   = []Code{Success, Failure, AlreadyBeingProcessed, InvalidBase64PDF, LicenseForbidsProcessing}
	pdfJudged  = append(slices.Clone(pdfCodes), VersionConflict)

	usualChangeJudged = append(slices.Clone(usualChange), VersionConflict)
	usualLoginJudged  = append(slices.Clone(usualLogin), VersionConflict)
)

// What several answers have, and what is long.
const (
	madeAnswer      = "paper{id}"
	hierarchyAnswer = "papers{paper*{paperID name url parentID category}}"
	paperInTree     = "{id name url publicationperiod-from? publicationperiod-to? version? public? edition? pages?}"
	treeAnswer      = "category{id name url publicationperiod-from? publicationperiod-to? version? public? category*^ paper*" + paperInTree + "} paper" + paperInTree
	fileInTree      = "{fileid name size bytes sha256 url version?}"
	mediaAnswer     = "directory*{directoryid name version? directory*^ file*" + fileInTree + "} file*" + fileInTree
	ordersAnswer    = "flipbooks{flipbook*{id name url orders{count earliestOrderDate? latestOrderDate? order*{orderId orderDate checkoutType orderLinesCount totalOrderValue " +
		"orderLine*{productId productName productDescription productPrice amount}}}}} text"
	newsAnswer = "events{next lost? event*{kind id account? job? status? size? bytes? sha256? url? parent? name? version? publicationperiod-from? publicationperiod-to? " +
		"public? is? edition? pages? gone?} tree*{kind}}"
)

// The twenty operations of the interface document, in its order.
var (
	SearchPapersWithHiearchyByContent = &Operation{Group: "Search", Name: "SearchPapersWithHiearchyByContent", Pair: PL, Served: true,
		Params: []string{"query", "categoryID", "xmlOptions"}, Ignored: []string{"xmlOptions"}, MaxReply: documentReply,
		Answer: hierarchyAnswer, Codes: []Code{Success, Failure, LoginSecurityViolation, SearchTemporarilyUnavailable}}
	SearchPapersByContent = &Operation{Group: "Search", Name: "SearchPapersByContent", Pair: Plain, Served: true,
		Params: []string{"query", "categoryOrPaperID", "xmlOptions"}, Ignored: []string{"xmlOptions"}, MaxReply: documentReply,
		Answer: "results{result*{paperID pageNumber paperName paperUrl}}", Codes: []Code{Success, Failure, LoginSecurityViolation, SearchTemporarilyUnavailable}}
	SearchPapersByCustomFields = &Operation{Group: "Search", Name: "SearchPapersByCustomFields", Pair: PL, Served: true,
		Params: []string{"categoryID", "xmlOptions"}, MaxReply: documentReply,
		Answer: "papers{paper*{id name url lastprocessed? pdffilesize? customfields{field*{name type null text}}}}", Codes: []Code{Success, Failure, SearchNoWildcards, SearchNoCriteria, PaperDoesNotExist, PaperMustNotBeCategory}}
	GetAllPapers = &Operation{Group: "Paper", Name: "GetAllPapers", Pair: PL, Served: true,
		Params: []string{"paperID"}, Wrapped: true, MaxReply: treeReply, Answer: treeAnswer, Codes: usual}
	CreatePreviewToken = &Operation{Group: "Paper", Name: "CreatePreviewToken", Pair: Plain, Served: true, Role: Editor,
		Params: []string{"paperID", "validityMinutes", "ip"}, Answer: "token", Codes: usualLogin}
	GetPaperStructure = &Operation{Group: "Paper", Name: "GetPaperStructure", Pair: PL, Served: true,
		Params: []string{"paperID", "includeIndexedText"}, MaxReply: documentReply, Answer: "paper{id name url pages{page*{id number part-of-index text? images{image*{file-size type url}}}}}", Codes: usual}
	CreateCategory = &Operation{Group: "Paper", Name: "CreateCategory", Pair: PL, Served: true, Changes: true, Role: Editor, Repeat: Look,
		Params: []string{"parentID", "name", "urlName"}, Answer: madeAnswer, Codes: usualChange}
	MovePaper = &Operation{Group: "Paper", Name: "MovePaper", Pair: PL, Served: true, Changes: true, Role: Editor,
		Params: []string{"sourcePaperID", "destinationParentID"}, Own: judged, Answer: "version", Codes: usualChangeJudged}
	ChangePaperUrl = &Operation{Group: "Paper", Name: "ChangePaperUrl", Pair: PL, Served: true, Changes: true, Role: Editor,
		Params: []string{"paperID", "newUrl"}, Own: judged, Answer: "version", Codes: usualChangeJudged}
	GetSetting = &Operation{Group: "Paper", Name: "GetSetting", Pair: PL, Served: true,
		Params: []string{"paperID", "setting"}, Answer: "*", Codes: usual}
	GetPaperUrlFromID = &Operation{Group: "Paper", Name: "GetPaperUrlFromID", Pair: PL, Served: true,
		Params: []string{"paperID"}, Answer: "paper{url}", Codes: []Code{Success, Failure, PaperDoesNotExist}}
	SetPublicationPeriod = &Operation{Group: "Paper", Name: "SetPublicationPeriod", Pair: PL, Served: true, Changes: true, Role: Editor,
		Params: []string{"paperID", "from", "to"}, Own: judged, Answer: "version", Codes: usualChangeJudged}
	GetPaperIDFromUrl = &Operation{Group: "Paper", Name: "GetPaperIDFromUrl", Pair: PL, Served: true,
		Params: []string{"url"}, Answer: madeAnswer, Codes: usual}
	GetSettingDescriptions = &Operation{Group: "Paper", Name: "GetSettingDescriptions", Pair: PL, Served: true, Own: []string{"paperID"}, Answer: "settings{setting*{name description explanation type choices? inherited? own?}}", Codes: usual}
	CreatePaper            = &Operation{Group: "Paper", Name: "CreatePaper", Pair: PL, Served: true, Changes: true, Role: Editor, Repeat: Look,
		Params: []string{"parentID", "name", "urlName"}, Answer: madeAnswer, Codes: usualChange}
	GetFlipbookOrdersByType = &Operation{Group: "Ecommerce", Name: "GetFlipbookOrdersByType", Pair: Plain, Served: true,
		Params: []string{"paperId", "checkoutType"}, Optional: []string{"checkoutType"}, MaxReply: documentReply, Answer: ordersAnswer, Codes: orderCodes}
	UploadFile = &Operation{Group: "Media", Name: "UploadFile", Pair: Plain, Served: true, Changes: true, Role: Editor,
		Params: []string{"parentID", "name", "base64File"}, Bulk: "base64File", Own: judged, Answer: "fileid version url", Codes: usualLoginJudged}
	CreateDirectory = &Operation{Group: "Media", Name: "CreateDirectory", Pair: Plain, Served: true, Changes: true, Role: Editor, Repeat: Look,
		Params: []string{"parentID", "name"}, Answer: "directoryid", Codes: usualLogin}
	GetProcessingStatus = &Operation{Group: "Ripper", Name: "GetProcessingStatus", Pair: PL, Served: true,
		Params: []string{"jobGuid"}, Own: []string{"paperID"}, Answer: "ProcessStatus Reason", Codes: usual}
	GetLinks = &Operation{Group: "Link", Name: "GetLinks", Pair: Plain, Served: true,
		Params: []string{"paperID"}, MaxReply: documentReply, Answer: "root{link*{@number number x y width height alttext url stylename shapetype polygoncoords linktype fileid target usemask param}}", Codes: usual}
)

// The operations of the contract's section 4.
var (
	DeletePaper = &Operation{Group: "Paper", Name: "DeletePaper", Pair: PL, Extended: true, Served: true, Changes: true, Role: Editor,
		Params: []string{"paperID"}, Own: judged, Answer: "version", Codes: usualChangeJudged}
	SetSetting = &Operation{Group: "Paper", Name: "SetSetting", Pair: PL, Extended: true, Served: true, Changes: true, Role: Editor,
		Params: []string{"paperID", "setting", "value"}, Own: []string{"inherit", ifVersion}, Answer: "version", Codes: usualChangeJudged}
	ClearPublicationPeriod = &Operation{Group: "Paper", Name: "ClearPublicationPeriod", Pair: PL, Extended: true, Served: true, Changes: true, Role: Editor,
		Params: []string{"paperID"}, Own: judged, Answer: "version", Codes: usualChangeJudged}
	SearchPapersWithHiearchyByName = &Operation{Group: "Search", Name: "SearchPapersWithHiearchyByName", Pair: PL, Extended: true, Served: true,
		Params: []string{"query", "categoryID", "xmlOptions"}, Ignored: []string{"xmlOptions"}, MaxReply: documentReply, Answer: hierarchyAnswer, Codes: usualLogin}
	GetTree = &Operation{Group: "Media", Name: "GetTree", Pair: Plain, Extended: true, Served: true,
		MaxReply: treeReply, Answer: mediaAnswer, Codes: usualLogin}
	DeleteFile = &Operation{Group: "Media", Name: "DeleteFile", Pair: Plain, Extended: true, Served: true, Changes: true, Role: Editor,
		Params: []string{"fileID"}, Own: judged, Answer: "version", Codes: usualLoginJudged}
	DeleteDirectory = &Operation{Group: "Media", Name: "DeleteDirectory", Pair: Plain, Extended: true, Served: true, Changes: true, Role: Editor,
		Params: []string{"directoryID"}, Own: judged, Answer: "version", Codes: usualLoginJudged}
	GetLicenseOrdersByType = &Operation{Group: "Ecommerce", Name: "GetLicenseOrdersByType", Pair: Plain, Extended: true, Served: true, Role: Admin,
		Params: []string{"checkoutType"}, Optional: []string{"checkoutType"}, MaxReply: documentReply, Answer: ordersAnswer, Codes: orderCodes}
	AddCustomField = &Operation{Group: "CustomField", Name: "AddCustomField", Pair: PL, Extended: true, Served: true, Changes: true, Role: Admin, Repeat: Look,
		Params: []string{"name", "dataType"},
		Codes:  []Code{Success, Failure, ReadOnly, InvalidFieldName, InvalidDataType, FieldNameIsNotUnique}}
	DeleteCustomField = &Operation{Group: "CustomField", Name: "DeleteCustomField", Pair: PL, Extended: true, Served: true, Changes: true, Role: Admin, Repeat: Look,
		Params: []string{"name"}, Codes: []Code{Success, Failure, ReadOnly, FieldDoesNotExist}}
	GetCustomFieldDefinitions = &Operation{Group: "CustomField", Name: "GetCustomFieldDefinitions", Pair: PL, Extended: true, Served: true, Answer: "fields{field*{name datatype}}", Codes: usual}
	GetCustomFieldValue       = &Operation{Group: "CustomField", Name: "GetCustomFieldValue", Pair: PL, Extended: true, Served: true,
		Params: []string{"paperID", "fieldName"}, Answer: "field{name type null text}", Codes: usual}
	SetCustomFieldValue = &Operation{Group: "CustomField", Name: "SetCustomFieldValue", Pair: Plain, Extended: true, Served: true, Changes: true, Role: Editor,
		Params: []string{"paperID", "fieldName", "value"}, Own: judged, Answer: "version", Codes: fieldChange}
	SetMultipleCustomFieldValues = &Operation{Group: "CustomField", Name: "SetMultipleCustomFieldValues", Pair: Plain, Extended: true, Served: true, Changes: true, Role: Editor,
		Params: []string{"paperID", "fieldsXml"}, Own: judged, Answer: "field{name} version", Codes: fieldChange}
	MoveFile = &Operation{Group: "Media", Name: "MoveFile", Pair: Plain, Extended: true, Served: true, Changes: true, Role: Editor, Offer: OfferMoves,
		Params: []string{"fileID", "parentID", "name"}, Own: []string{"replace", replaceVersion, ifVersion}, Answer: "fileid version", Codes: usualLoginJudged}
	MoveDirectory = &Operation{Group: "Media", Name: "MoveDirectory", Pair: Plain, Extended: true, Served: true, Changes: true, Role: Editor, Offer: OfferMoves,
		Params: []string{"directoryID", "parentID", "name"}, Own: []string{"replace", ifVersion}, Answer: "directoryid version", Codes: usualLoginJudged}
	RenamePaper = &Operation{Group: "Paper", Name: "RenamePaper", Pair: PL, Extended: true, Served: true, Changes: true, Role: Editor, Offer: OfferMoves,
		Params: []string{"paperID", "name"}, Own: []string{"destinationParentID", ifVersion}, Answer: "version", Codes: usualChangeJudged}
	CopyPaper = &Operation{Group: "Paper", Name: "CopyPaper", Pair: PL, Extended: true, Served: true, Changes: true, Role: Editor, Repeat: Look, Offer: OfferCopies,
		Params: []string{"paperID", "destinationParentID", "name", "urlName"}, Own: []string{"draft"}, Answer: madeAnswer, Codes: append(slices.Clone(usualChange), AlreadyBeingProcessed)}
	// GetContent answers with the bytes themselves; only its failures have an envelope.
	GetContent = &Operation{Group: "Media", Name: "GetContent", Pair: Plain, Extended: true, Served: true, Offer: OfferVersions,
		Params: []string{"fileID"}, Optional: []string{"fileID"}, Own: []string{"entryID", "version"}, Codes: usualLogin}
	GetDeleted = &Operation{Group: "Deleted", Name: "GetDeleted", Pair: Plain, Extended: true, Served: true, Role: Editor, Offer: OfferDeleted,
		Own: []string{"path", "paperID", "since", "limit"}, MaxReply: documentReply, Answer: "entries{entry*{entryid kind name path id parentid what time account bytes undone}}", Codes: usualLogin}
	Restore = &Operation{Group: "Deleted", Name: "Restore", Pair: Plain, Extended: true, Served: true, Changes: true, Role: Editor, Repeat: Look, Offer: OfferDeleted,
		Own: []string{"entryID", "path", "paperID", "since", "name", "parentID"}, MaxReply: documentReply, Answer: "restored*{entryid kind id name version address? job-guid?} left*{entryid kind id name path reason}", Codes: usualLoginJudged}
	Purge = &Operation{Group: "Deleted", Name: "Purge", Pair: Plain, Extended: true, Served: true, Changes: true, Role: Editor, Offer: OfferDeleted,
		Params: []string{"entryID"}, Codes: usualLogin}
	// Wait is held until something changes.
	Wait = &Operation{Group: "Events", Name: "Wait", Pair: Plain, Extended: true, Served: true, Offer: OfferEvents,
		Params: []string{"after", "seconds"}, Own: []string{"client"}, Answer: newsAnswer, Codes: usualLogin}

	CreateSignInLink = &Operation{Group: "Account", Name: "CreateSignInLink", Pair: Plain, Extended: true, Served: true, Offer: OfferPage, Answer: "address", Codes: usualLogin}

	ProcessPDF = &Operation{Group: "Ripper", Name: "ProcessPDF", Pair: PL, Extended: true, Served: true, Changes: true, Role: Editor, Repeat: Look,
		Params: []string{"paperID", "xmlOptions", "base64Pdf"}, Bulk: "base64Pdf", Own: []string{ifVersion, "parentID", "name", "draft"}, Answer: "jobGuid version paper{id}", Codes: pdfJudged}
	GetProcessingPapers       = &Operation{Group: "Ripper", Name: "GetProcessingPapers", Pair: PL, Extended: true, Served: true, Answer: "processes{process*{created paper-id progress job-guid page? pages?}}", Codes: usual}
	ReprocessPaper            = &Operation{Group: "Ripper", Name: "ReprocessPaper", Pair: PL, Extended: true, Served: true, Changes: true, Role: Editor, Repeat: Look, Params: []string{"paperID", "xmlOptions"}, Answer: "jobGuid", Codes: pdfCodes}
	GetImageWith2PxDropShadow = &Operation{Group: "Image", Name: "GetImageWith2PxDropShadow", Pair: PL, Extended: true,
		Params: []string{"pageID", "imageType"}, Codes: usual}
	GetNumberOfPageviewsPerDay = &Operation{Group: "Statistics", Name: "GetNumberOfPageviewsPerDay", Pair: PL, Extended: true, Served: true,
		Params: []string{"paperID", "from", "to"}, Answer: "pageviews{day*{date views}}", Codes: usual}
	GetNumberOfVisitorsPerDay = &Operation{Group: "Statistics", Name: "GetNumberOfVisitorsPerDay", Pair: PL, Extended: true, Served: true,
		Params: []string{"paperID", "from", "to"}, Answer: "visitors{day*{date visitors}}", Codes: usual}
	GetNumberOfVisitors = &Operation{Group: "Statistics", Name: "GetNumberOfVisitors", Pair: PL, Extended: true, Served: true,
		Params: []string{"paperID", "from", "to"}, Answer: "visitors{count}", Codes: usual}
	GetNumberOfPageviewsPerPage = &Operation{Group: "Statistics", Name: "GetNumberOfPageviewsPerPage", Pair: PL, Extended: true, Served: true, Offer: OfferPages,
		Params: []string{"paperID", "from", "to"}, Answer: "pageviews{address page*{number views} link*{page target clicks}}", Codes: usual}
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

	MoveFile, MoveDirectory, RenamePaper, GetContent, GetDeleted, Restore, Purge, Wait,
	GetNumberOfPageviewsPerPage, CreateSignInLink, CopyPaper,
}
