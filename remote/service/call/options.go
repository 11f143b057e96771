package call

import (
	"log/slog"
	"net/netip"
	"time"

	"paperfs/remote"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/pdf"
	"paperfs/remote/service/store"
)

// Options of a service. Only Data is required: the zero value of every other field is a default.
type Options struct {
	Data  string           // directory for everything the service keeps; created if missing
	Apart *Apart           // records and content outside of Data; nil = all is in Data
	Now   func() time.Time // clock for dates and periods; nil = time.Now
	Log   *slog.Logger     // nil = slog.Default

	RawTree         bool              // GetAllPapers without the string element around it
	Namespace       string            // of the string element; "" = DefaultNamespace
	CDATA           answer.CDATAStyle //
	DigitImageTypes bool              // image types as 1, 2, 3 in a structure with text
	StrictCodes     bool              // result codes that an operation does not document become ERROR
	NoExtended      bool              // offer only the twenty operations of the interface document
	SearchOutage    bool              // searches answer SEARCH_TEMPORARILY_UNAVAILABLE
	LoopbackOnly    bool              // answers only to localhost, 127.0.0.1 and [::1] (421 otherwise)
	TrustedProxies  []netip.Prefix    // proxies whose Forwarded and X-Forwarded- headers count
	ManageHosts     []string          // host names that have the publisher's page and nothing else; nil = every host has it
	BasePath        string            // path before /V2/ and all other addresses
	BodyLimit       int64             // bytes of a request body; 0 = none for UploadFile, 320 MiB for the rest
	RPM             int               // requests of one account in a sliding minute; 0 = no limit
	AddressOrders   int               // orders of one address a day, a sixth of them a minute; 0 = 30
	AddressRequests int               // requests of one address a second without good credentials; 0 = no limit

	NoRoom    func() bool // for tests: whether to treat the disk as full; nil = ask the disk
	TrashDays int         // days for which the trash keeps content without a record; 0 = 30

	PDFLimit  int64      // bytes of a PDF; 0 = 192 MiB
	PDFQueue  int        // PDFs of a tenant in the queue, with those being processed; 0 = no limit
	PDFJobs   int        // PDFs processed at once; 0 = 2, negative = none: other services process them
	PDFLimits pdf.Limits // limits of the processing of one PDF
	PDFWorker []string   // command that starts a worker, see package pdf; nil = this program with pdf.WorkerArgument
	PDFCache  string     // directory for compiled code; "" = one in Data. A user who can write to it decides what workers run.
}

// Apart are the records and content that several services share. The Data directory of
// each then has only temporary files of its own: answers and uploads under way, compiled
// code. Close of the service closes both stores; an Open that fails closes neither.
type Apart struct {
	Store    store.Store
	Contents store.Contents
	Node     string // name of this service, which marks its jobs; "" = a random name
}

// DefaultNamespace is the namespace that the platform uses by default.
const DefaultNamespace = "http://tempuri.org/"

// XMLNamespace returns the namespace of that element.
func (o *Options) XMLNamespace() string {
	if o.Namespace == "" {
		return DefaultNamespace
	}
	return o.Namespace
}

// defaultPDFLimit is the size of the largest PDF, before encoding (contract, 4.4).
const defaultPDFLimit = 192 << 20

func (s *Service) pdfLimit() int64 {
	if s.Options.PDFLimit > 0 {
		return s.Options.PDFLimit
	}
	return defaultPDFLimit
}

const defaultBodyLimit = 320 << 20

// soapLimit returns the most bytes of a SOAP request. It is the same for all operations,
// because only the request itself names its operation.
func (s *Service) soapLimit() int64 {
	if limit := s.Options.BodyLimit; limit > 0 {
		return limit
	}
	return max(defaultBodyLimit, s.pdfLimit()/2*3)
}

// Documented returns the operation as this service offers it: perhaps without what only paperfs's own
// service has.
func (s *Service) Documented(op *remote.Operation) *remote.Operation {
	if !s.Options.NoExtended || op.Own == nil {
		return op
	}
	bare := *op
	bare.Own = nil
	return &bare
}
