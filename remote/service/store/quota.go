package store

import "time"

// Quota is what a tenant may have; nil = any number.
type Quota struct {
	MediaBytes *int64 // of media files
	Papers     *int64
	PDFMinutes *int64 // that workers spend on its PDFs, in a calendar month of UTC
}

// Usage is what a tenant has of that.
type Usage struct {
	MediaBytes, Papers int64
	PDFTime            time.Duration // in one month
}

// UsageReader tells what is used.
type UsageReader interface {
	// Usage tells what a tenant uses, of PDF time that in the month of a time.
	Usage(tenant int64, month time.Time) (Usage, error)
}

// UsageWriter counts the use of a quota that no record shows. Media files and papers
// are counted with their records.
type UsageWriter interface {
	// AddPDFTime adds to the month of a time; ErrNotFound: no such tenant.
	AddPDFTime(tenant int64, month time.Time, d time.Duration) error
}
