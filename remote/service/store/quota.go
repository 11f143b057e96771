package store

import "time"

// Quota limits what a tenant may have; nil means no limit.
type Quota struct {
	MediaBytes *int64 // of media files
	Papers     *int64
	PDFMinutes *int64 // of workers' time for its PDFs, per calendar month (UTC)
}

// Usage is how much of its Quota a tenant uses.
type Usage struct {
	MediaBytes, Papers int64
	PDFTime            time.Duration // in one month
}

// UsageReader reports usage.
type UsageReader interface {
	// Usage returns a tenant's usage; its PDFTime is that of the month in which the time lies.
	Usage(tenant int64, month time.Time) (Usage, error)
}

// UsageWriter counts the usage that no record shows. Media files and papers are counted with
// their records.
type UsageWriter interface {
	// AddPDFTime adds to the month in which the time lies. ErrNotFound: no such tenant.
	AddPDFTime(tenant int64, month time.Time, d time.Duration) error
}
