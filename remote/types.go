package remote

import (
	"io"
	"os"
	"strings"
	"time"
)

// NodeKind is category or paper; both share one id space.
type NodeKind uint8

// The node kinds.
const (
	CategoryNode NodeKind = iota + 1
	PaperNode
)

// Node is a category or a paper in GetAllPapers.
type Node struct {
	ID     int64
	Parent int64 // 0 for the node where the call started: the answer lacks its parent
	Kind   NodeKind
	Name   string
	URL    string // begins and ends with /; empty if the service sends none
	Period Period // papers only
	// Version and Edition (papers only) are 0 if the service tells none; they are conditions of changes.
	Version, Edition Version
	Pages            PageTotal // papers only
	Odd              string    // what is not as documented in the service's record, in words; mostly empty
}

// PageTotal is how many pages a paper has, which are numbered from 1. The zero PageTotal means that the service
// does not tell.
type PageTotal struct {
	Told bool
	N    int32
}

// Period is a publication period, visible when From <= now < To, in UTC to
// the second. The zero Period means that none is set.
type Period struct{ From, To time.Time }

// IsZero reports whether no period is set.
func (p Period) IsZero() bool { return p.From.IsZero() && p.To.IsZero() }

// Setting is one row of GetSettingDescriptions.
type Setting struct{ Name, Description, Explanation, Type string }

// Field is a custom field's definition; Type is datetime, bool, int or string.
type Field struct{ Name, Type string }

// Page is one page of GetPaperStructure.
type Page struct {
	ID          int64
	Number      int
	PartOfIndex bool
	Text        string // only on request
	Images      []Image
}

// Image is one image of a page. Its address may change at any time.
type Image struct {
	Type   string // Zoom, Normal or Thumb; the digits 1, 2, 3 are translated
	SizeKB int64  // as sent; the unit is not documented
	URL    string
}

// PaperHit is one element of SearchPapersWithHiearchyByContent (categories
// included) or of SearchPapersByCustomFields (papers only, Parent 0).
type PaperHit struct {
	ID     int64
	Parent int64
	Kind   NodeKind
	Name   string
	URL    string
}

// PageHit is one page that SearchPapersByContent found.
type PageHit struct {
	PaperID int64
	Page    int
	Name    string
	URL     string
}

// FieldCriterion is one criterion of SearchPapersByCustomFields; criteria are
// combined with AND.
type FieldCriterion struct {
	Name     string
	Value    string
	Wildcard bool // % in Value matches any run of characters
}

// MediaTree is the media store in GetTree, parents before children.
type MediaTree struct {
	Dirs  []MediaDir
	Files []MediaFile
	Odd   []string // what was left out or only partly read, in words
}

// MediaDir is a directory of the media store. Parent 0 is the root.
type MediaDir struct {
	ID, Parent int64
	Name       string
	Version    Version // 0 if the service tells none
}

// MediaFile is a file of the media store. SizeKB and Bytes are -1, and SHA256 and URL are
// empty, if the service does not send them.
type MediaFile struct {
	ID, Parent int64
	Name       string
	SizeKB     int64
	Bytes      int64
	SHA256     string // in hex
	URL        string
	Version    Version // 0 if the service tells none
}

// JobStatus is the value of GetProcessingStatus.
type JobStatus string

// The documented values; all but Pending are final.
const (
	JobPending          JobStatus = "Pending"
	JobCompleted        JobStatus = "Completed"
	JobEnrichmentFailed JobStatus = "EnrichmentProcessingFailed"
	JobFailed           JobStatus = "Failed"
)

// Finisher is Content that has a say in whether a request with it comes to its
// end. Finish is called before the last bytes of a request go out; where it
// fails, they do not, and the request surely has no effect.
type Finisher interface{ Finish() error }

// Watched is Content that is told how much of it the newest request has sent: nothing
// when it begins. Readings before a request, and waiting for its turn, send nothing.
type Watched interface{ Sending(sent int64) }

// FileContent is Content that is all of a file, to which nothing writes any more. A service in this process may make
// the file its own, by another name, instead of a copy.
type FileContent interface {
	Content
	// File returns the file; nil if the content is not one, or may change after the upload.
	File() *os.File
}

// Content is what UploadFile sends. It may be read several times, each time
// from the start, also at the same time; all readings must return the same bytes.
type Content interface {
	Size() int64
	Open() (io.ReadCloser, error)
}

// parseTime reads a date-time of the service: UTC, the time part may be absent. It takes more than
// rules.Time, which a service holds requests to: any year, and a fraction of a second.
func parseTime(value []byte) (time.Time, bool) {
	text := strings.TrimSuffix(strings.TrimSpace(string(value)), "Z")
	text = strings.Replace(text, "T", " ", 1)
	for _, format := range []string{time.DateTime, "2006-01-02 15:04", time.DateOnly} {
		if t, err := time.Parse(format, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
