package service

import (
	"log/slog"
	"net/netip"
	"time"

	"paperfs/remote/service/answer"
	"paperfs/remote/service/pdf"
	"paperfs/remote/service/store"
)

// Options of a service. The zero value of each but Data is a default.
type Options struct {
	Data  string           // directory for everything the service keeps; made where it is missing
	Apart *Apart           // what is kept elsewhere; nil = all is in Data
	Now   func() time.Time // clock for what the service dates and checks; nil = time.Now
	Log   *slog.Logger     // nil = slog.Default

	RawTree         bool              // GetAllPapers without the string element around it
	Namespace       string            // of the string element; "" = DefaultNamespace
	CDATA           answer.CDATAStyle //
	DigitImageTypes bool              // image types as 1, 2, 3 in a structure with text
	StrictCodes     bool              // result codes that an operation does not document become ERROR
	NoExtended      bool              // only the twenty operations of the interface document
	SearchOutage    bool              // searches answer SEARCH_TEMPORARILY_UNAVAILABLE
	LoopbackOnly    bool              // answers only to localhost, 127.0.0.1 and [::1] (421 otherwise)
	TrustedProxies  []netip.Prefix    // whose Forwarded and X-Forwarded- headers count
	BasePath        string            // path before /V2/ and all other addresses
	BodyLimit       int64             // bytes of a request body; 0 = none for UploadFile, 320 MiB for the rest
	RPM             int               // requests of one account in a sliding minute; 0 = no limit
	AddressRequests int               // requests of one address a second without good credentials; 0 = no limit

	NoRoom    func() bool // tells that the disk is to be taken for full, for tests; nil = the disk is asked
	TrashDays int         // that content without a record is kept; 0 = 30

	PDFLimit  int64      // bytes of a PDF; 0 = 192 MiB
	PDFQueue  int        // PDFs of a tenant that are processed or wait for it; 0 = no limit
	PDFJobs   int        // processed at once; 0 = 2, negative = none: other services do
	PDFLimits pdf.Limits // of its processing
	PDFWorker []string   // command that starts a worker, see package pdf; nil = this program with pdf.WorkerArgument
	PDFCache  string     // directory for compiled code; "" = one in Data. A user who can write to it decides what workers run.
}

// Apart is what several services share. Data has only what passes then, of each one its
// own: answers and uploads under way, compiled code. Close of the service closes both;
// an Open that fails closes neither.
type Apart struct {
	Store    store.Store
	Contents store.Contents
	Node     string // whose jobs are told from those of other services by it; "" = a random name
}

// DefaultNamespace is what the platform uses where nothing else is set.
const DefaultNamespace = "http://tempuri.org/"

func (o *Options) namespace() string {
	if o.Namespace == "" {
		return DefaultNamespace
	}
	return o.Namespace
}

const defaultTrashDays = 30

func (o *Options) trashTime() time.Duration {
	days := o.TrashDays
	if days == 0 {
		days = defaultTrashDays
	}
	return time.Duration(days) * 24 * time.Hour
}

const defaultBodyLimit = 320 << 20
