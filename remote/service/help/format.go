package help

import (
	"strings"

	"paperfs/remote"
)

// formats describe the values of parameters, by Operation.parameter or by parameter.
var formats = map[string]string{
	"plUsername": "the name of an account",
	"plPassword": "its key",
	"username":   "the name of an account",
	"password":   "its key",

	"query":      "1 to 128 characters",
	"categoryID": "the id of a category; the search is below it", "categoryOrPaperID": "the id of a category or a paper",
	"paperID":             "the id of a paper; where categories can be meant, that of a category",
	"paperId":             "the id of a paper",
	"sourcePaperID":       "the id of a paper or a category",
	"destinationParentID": "the id of a category",
	"parentID":            "the id of a category",
	"UploadFile.parentID": "the id of a media directory; 0 is the top of the library", "CreateDirectory.parentID": "the id of a media directory; 0 is the top of the library",
	"MoveFile.parentID": "the id of a media directory; 0 is the top of the library", "MoveDirectory.parentID": "the id of a media directory; 0 is the top of the library",
	"MoveFile.replace":                "optional: true replaces the content of a file of that name, which keeps its id and address; the moved id ends",
	"MoveFile.replaceVersion":         "optional, in place of replace: the version of the only file that may be replaced, from GetTree with Prefer: paperfs-version",
	"MoveDirectory.replace":           "optional: true replaces an empty directory of that name",
	"RenamePaper.destinationParentID": "optional: the id of another category to move it to at once",
	"fileID":                          "the id of a media file", "directoryID": "the id of a media directory",
	"pageID": "the id of a page, from GetPaperStructure", "imageType": "Thumb, Normal or Zoom",

	"name": "1 to 255 characters", "AddCustomField.name": "1 to 128 of a-z A-Z 0-9 _", "DeleteCustomField.name": "the name of a field", "fieldName": "the name of a field",
	"urlName": "the last part of the address: 1 to 128 of A-Z a-z 0-9 - _ . ~",
	"newUrl":  "the last part of the address, or the whole address with the same parent",
	"url":     "an address; begins and ends with /",

	"validityMinutes":           "1 to 525600; the token in the answer opens the paper as ?SecurityToken=TOKEN after its address",
	"ip":                        "the only IPv4 or IPv6 address for which the token is valid; empty for any",
	"includeIndexedText":        "true or false; empty is false",
	"setting":                   "a name from GetSettingDescriptions",
	"value":                     "a value of the setting's type: true or false, a whole number, a time as 2031-03-01 06:00:00, or text",
	"SetCustomFieldValue.value": "a value of the field's type: true or false, a whole number, a time as 2031-03-01 06:00:00, or text; empty for none",
	"inherit":                   "optional: true takes the own value away, so that one is inherited again; value is ignored then",
	"dataType":                  "datetime, bool, int or string",
	"fieldsXml":                 `<fields><field name="Season">Spring</field></fields>`,
	"jobGuid":                   "the GUID from the answer of ProcessPDF",
	"checkoutType":              "CheckoutByEmail, CheckoutByExport, CheckoutByPrint, CheckoutByWhatsApp, CheckoutBySharingEmail or CheckoutBySms; empty for all",
	"from":                      "the first day, as 2031-03-01",
	"to":                        "the last day, as 2031-03-31; at most 3660 days",

	"SetPublicationPeriod.from": "a time in UTC, as 2031-03-01 06:00:00; the seconds, or the time of day, may be left out",
	"SetPublicationPeriod.to":   "a later time in UTC, in the same form; the paper is not visible any more from then on",

	"CopyPaper.draft": "optional: true makes a copy that is not public, unless the setting public of a category above it is true", "CopyPaper.urlName": "the last part of the address; empty for a free one that is like the name",
	"GetSettingDescriptions.paperID": "optional: a paper or category, of which the answer then has the values: own, if it has one, inherited, and the choices",
	"GetProcessingStatus.jobGuid":    "the GUID from the answer of ProcessPDF; it may be empty where paperID is there", "GetProcessingStatus.paperID": "optional: a paper, for the last job of a PDF that was sent for it",

	"version":              "optional: a version that the file has, or had and that is still kept; without it the newest",
	"entryID":              "the number of an entry, from GetDeleted",
	"GetContent.fileID":    "the id of a media file; it may be left out where entryID is there",
	"GetContent.entryID":   "optional: an entry from GetDeleted, for editors",
	"Restore.entryID":      "an entry from GetDeleted; or leave it out and give since with path or paperID",
	"path":                 "optional: /media and the names below it, as in /media/2031/rake.jpg, or /papers and an address; what was there or below it",
	"GetDeleted.paperID":   "optional, in place of path: a paper or category, also one that was deleted; what was taken away of it or below it",
	"Restore.paperID":      "as path, for a paper or category, also one that was deleted, whatever its name and address are now",
	"since":                "optional: a time in UTC, as 2031-03-01 06:00:00; what was taken away then or later",
	"limit":                "optional: at most so many entries",
	"after":                "the mark next of the last answer; empty for the present one, at once",
	"seconds":              "0 to 55: for how long the request is held at most; empty for 55",
	"client":               "optional: changes that were sent with the header Paperfs-Client of this value are not told",
	"Restore.path":         "with since, in place of entryID: all that this account took away there or below",
	"Restore.name":         "optional, with entryID: another name for what was deleted",
	"ifVersion":            "optional: the change happens only if the thing still has this version, which GetTree and GetAllPapers show with the header Prefer: paperfs-version",
	"UploadFile.ifVersion": "optional: the upload happens only if the file of that name still has this version; none: only if there is no file of that name",
	"draft":                "optional: true makes the new paper of parentID and name one that is not public, unless the setting public of a category above it is true",
	"ProcessPDF.ifVersion": "optional: the PDF is accepted only if the paper still has this edition, which GetAllPapers shows with the header Prefer: paperfs-version",

	"base64File": "base64 with padding; each + as %2B",
	"base64Pdf":  "a PDF in base64 with padding; each + as %2B",
	"xmlOptions": "empty",

	"SearchPapersByCustomFields.xmlOptions": `<options><customfieldcriterias><field name="Season" value="spr%" usewildcards="true"/></customfieldcriterias>` +
		`<includedcustomfields includeall="false"><field name="Season"/></includedcustomfields></options>; all criteria have to fit, included fields are in the answer`,
	"ProcessPDF.xmlOptions":     pdfOptions,
	"ReprocessPaper.xmlOptions": pdfOptions,
}

const pdfOptions = `empty, or <options> with any of <all-pages>false</all-pages> with <pages-from>1</pages-from><pages-to>8</pages-to>, ` +
	`<preserve-index>true</preserve-index>, <import-bookmarks>false</import-bookmarks>, <preserve-links>true</preserve-links>, ` +
	`<import-links>false</import-links> with <import-links-styleid>1</import-links-styleid>, <custom-link-import-name>shop</custom-link-import-name>, <password>secret</password>`

// Format describes the values of an operation's parameter.
func Format(op *remote.Operation, param string) string {
	if own, ok := formats[op.Name+"."+param]; ok {
		return own
	}
	return formats[param]
}

// Answer returns an example of what is in the data element of an operation's answer; "" if
// there is none.
func Answer(op *remote.Operation) string { return strings.TrimSpace(answers[op.Name]) }

const (
	node    = `<paper id="7455" />`
	orders  = `<flipbooks><flipbook id="7344" name="Spring" url="/spring/"><orders count="1" earliestOrderDate="2031-04-02 09:15:00" latestOrderDate="2031-04-02 09:15:00"><order orderId="Zk81qP" orderDate="2031-04-02 09:15:00" checkoutType="CheckoutByPrint" orderLinesCount="1" totalOrderValue="58,5"><orderLine><productId>RK-7</productId><productName>Rake</productName><productDescription>Steel</productDescription><productPrice>29,25</productPrice><amount>2</amount></orderLine></order></orders></flipbook></flipbooks>`
	tree    = `<category id="1" name="Acme" url="/"><category id="5" name="Garden" url="/garden/"><paper id="7" name="Spring" url="/garden/spring/" publicationperiod-from="2031-03-01 06:00:00" publicationperiod-to="2031-05-31 22:00:00" /></category></category>`
	deleted = `<entries><entry entryid="12" kind="file" name="rake.jpg" path="/media/2031/rake.jpg" id="5120" parentid="611" what="deleted" time="2031-04-02 09:15:00" account="APIKey" bytes="89601" /></entries>; kind is file, directory, paper, category or pdf, what is deleted or replaced`
	jobMade = `<jobGuid>8e0c2a44-6c5e-4c6a-9f0b-0f6b9b0e7a11</jobGuid>`
)

// answers are examples, by operation.
var answers = map[string]string{
	"CreateCategory": node, "CreatePaper": node, "CopyPaper": node, "GetPaperIDFromUrl": node,
	"GetPaperUrlFromID":          `<paper url="/garden/spring/" />`,
	"GetAllPapers":               tree,
	"CreatePreviewToken":         `<token>0d5f6c1e-93aa-4b1e-8f7d-2c6e41b7a950</token>`,
	"GetSetting":                 `<iconPdf>true</iconPdf>; the element has the name of the setting`,
	"GetFlipbookOrdersByType":    orders,
	"GetLicenseOrdersByType":     orders,
	"ProcessPDF":                 jobMade,
	"ReprocessPaper":             jobMade,
	"CreateSignInLink":           `<address>https://papers.example/manage/#once=8hYx3v</address>; it signs a browser in once, within two minutes`,
	"UploadFile":                 `<fileid>5120</fileid>`,
	"MoveFile":                   `<fileid>5120</fileid><version>4611686018427387904</version>`,
	"MoveDirectory":              `<directoryid>611</directoryid><version>4611686018427387904</version>`,
	"GetContent":                 `none: the answer is the bytes of the file, as application/octet-stream`,
	"GetDeleted":                 deleted,
	"Wait":                       `<events next="EPOCH.62"><event kind="file" id="5120" size="88" bytes="89601" sha256="..." url="/media/5120/rake.jpg" parent="611" name="rake.jpg" version="4611686018427387904" /><event kind="directory" id="640" gone="true" /></events>; after more changes <tree kind="media" /> or <tree kind="papers" />, and lost="true" where the mark is not known any more`,
	"Restore":                    `<restored entryid="12" kind="file" id="5120" name="rake.jpg" version="4611686018427387904" /><left entryid="13" kind="file" id="5121" name="b" path="/media/b" reason="another file is called b now; rename that one, and try again" />`,
	"RenamePaper":                `<version>4611686018427387904</version>`,
	"CreateDirectory":            `<directoryid>611</directoryid>`,
	"GetTree":                    `<directory directoryid="611" name="2031"><file fileid="5120" name="rake.jpg" size="88" bytes="89601" sha256="..." url="https://..." /></directory>`,
	"GetProcessingStatus":        `<ProcessStatus>Pending</ProcessStatus>; then Completed, EnrichmentProcessingFailed or Failed`,
	"GetProcessingPapers":        `<processes><process created="2031-02-11 16:39:50" paper-id="7344" progress="35" /></processes>`,
	"GetNumberOfPageviewsPerDay": `<pageviews><day date="2031-04-01" views="12" /></pageviews>`,
	"GetNumberOfVisitorsPerDay":  `<visitors><day date="2031-04-01" visitors="3" /></visitors>`,
	"GetNumberOfVisitors":        `<visitors count="41" />`,
	"GetCustomFieldDefinitions":  `<fields><field name="Season" datatype="string" /></fields>`,
	"GetCustomFieldValue":        `<field name="Season" type="string" null="False">Spring</field>`,
	"GetSettingDescriptions":     `<settings><setting name="iconPdf" description="PDF button" explanation="Whether a download button is shown." type="bool" /></settings>`,
	"GetPaperStructure":          `<paper id="7344" name="Spring" url="/spring/"><pages><page id="90211" number="1" part-of-index="True"><text>with includeIndexedText</text><images><image file-size="412" type="Zoom" url="https://..." /></images></page></pages></paper>`,
	"GetLinks":                   `<root><link number="1"><number>4</number><x>0.125</x><y>0.5</y><width>0.25</width><height>0.0625</height><alttext>Buy</alttext><url></url><stylename>frame</stylename><shapetype>rectangle</shapetype><polygoncoords></polygoncoords><linktype>shopitem</linktype><fileid></fileid><target></target><usemask>True</usemask><param>for a shopitem, XML as text: &lt;item&gt;...</param></link></root>`,

	"GetNumberOfPageviewsPerPage": `<pageviews address="https://..."><page number="1" views="12" /><link page="1" target="https://example.org/" clicks="3" /></pageviews>; the address shows them to people, without credentials, for twelve hours at least`,
}
