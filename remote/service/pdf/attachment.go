package pdf

import (
	"path"
	"strings"

	"github.com/klippa-app/go-pdfium/requests"

	"paperfs/remote/xmlscan"
)

// Bounds of the attached tables. Attachments may just be for people to open, so exceeding a
// bound does not fail the job.
const (
	mostAttachments = 100      // attachments that are examined
	mostTables      = 10       // tables that are returned
	tableBytes      = 16 << 20 // total size of the returned tables
)

// tables returns the attached files named .csv, and why some are missing ("" for none).
func (d *document) tables() (all []Attachment, failure string) {
	count, err := d.pdfium.FPDFDoc_GetAttachmentCount(&requests.FPDFDoc_GetAttachmentCount{Document: d.doc})
	if err != nil {
		return nil, "The attachments cannot be counted: " + words(err) + "."
	}
	bytes := 0
	for i := range min(count.AttachmentCount, mostAttachments) {
		a, found, err := d.table(i)
		if err != nil {
			return all, "The attachments cannot be read: " + words(err) + "."
		}
		if !found {
			continue
		}
		if bytes += len(a.Content); bytes > tableBytes || len(all) == mostTables {
			return all, "The attached CSV files are too many or too large."
		}
		all = append(all, a)
	}
	return all, ""
}

// table reads an attachment if its name says that it is a table.
func (d *document) table(index int) (a Attachment, found bool, err error) {
	at, err := d.pdfium.FPDFDoc_GetAttachment(&requests.FPDFDoc_GetAttachment{Document: d.doc, Index: index})
	if err != nil {
		return a, false, err
	}
	name, err := d.pdfium.FPDFAttachment_GetName(&requests.FPDFAttachment_GetName{Attachment: at.Attachment})
	if err != nil || !strings.EqualFold(path.Ext(name.Name), ".csv") || !xmlscan.Carries(name.Name) || len(name.Name) > nameBytes {
		return a, false, err
	}
	file, err := d.pdfium.FPDFAttachment_GetFile(&requests.FPDFAttachment_GetFile{Attachment: at.Attachment})
	if err != nil {
		return a, false, err
	}
	return Attachment{oneLine(name.Name), file.Contents}, true, nil
}
