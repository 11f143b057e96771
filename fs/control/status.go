package control

import (
	"encoding/json"
	"time"
)

// Status is what the file status holds, as JSON. Fields are added, never
// changed in meaning.
type Status struct {
	Version    string    `json:"version"`
	PID        int       `json:"pid"`
	Mountpoint string    `json:"mountpoint"`
	Since      time.Time `json:"since"` // mounted
	Service    Service   `json:"service"`
	Tree       Tree      `json:"tree"`
	Requests   Requests  `json:"requests"`
	Media      MediaInfo `json:"media"`
	Jobs       []Job     `json:"jobs,omitempty"`
	Failures   uint64    `json:"failures"` // operations that failed since the mount
}

// Service is the service of a mount.
type Service struct {
	URL       string     `json:"url"`
	Data      string     `json:"data,omitempty"` // directory of the embedded service
	AwaySince *time.Time `json:"awaySince,omitempty"`
	// AskedAgain is when the next call finds out whether it is back.
	AskedAgain *time.Time `json:"askedAgain,omitempty"`
	// Trouble is why the last request failed, where requests are sent again for
	// that: no connection, no answer in time, or HTTP 502, 503 or 504.
	Trouble      string     `json:"trouble,omitempty"`
	TroubleSince *time.Time `json:"troubleSince,omitempty"`
	// Refused tells why the service, or a proxy before it, does not let the
	// account in.
	Refused string `json:"refused,omitempty"`
}

// Tree is the catalogue below papers/.
type Tree struct {
	RootID     int64      `json:"rootId,omitempty"`
	RootURL    string     `json:"rootUrl,omitempty"`
	Nodes      int        `json:"nodes"`
	Fetched    *time.Time `json:"fetched,omitempty"` // when the service was asked for what is shown
	Refreshing bool       `json:"refreshing"`
	LastError  string     `json:"lastError,omitempty"` // of the last refresh
}

// Requests are those to the service since the mount.
type Requests struct {
	ByOperation map[string]uint64 `json:"byOperation"`
	Failed      uint64            `json:"failed"` // calls that failed after a request
	// HeldBack are calls that failed without a request: the limit was used up,
	// or the service was known to be away.
	HeldBack uint64 `json:"heldBack"`
	Sent     uint64 `json:"sentBytes"`
	Received uint64 `json:"receivedBytes"`
	Used     int    `json:"used"`  // in the last minute
	Limit    int    `json:"limit"` // a minute; 0 for none
	// FullLimit is Limit as it was set; Limit is less for a while after the
	// service refused more.
	FullLimit int `json:"fullLimit"`

	Waiting           int `json:"waiting"`           // calls that wait for the limit, and that somebody waits for
	WaitingBackground int `json:"waitingBackground"` // queued uploads that wait for it
	Repeating         int `json:"repeating"`         // calls that failed and pause before they are repeated
	// UnderWay are the calls that are not over, the oldest first.
	UnderWay []Call `json:"underWay,omitempty"`
	// NextIn is in how many seconds the next of those begins, or else a call
	// that came now.
	NextIn float64 `json:"nextInSeconds"`
}

// Call is a call of the service that is not over.
type Call struct {
	Operation string    `json:"operation"`
	Since     time.Time `json:"since"`
	Waits     string    `json:"waits"` // for the "limit" of requests, the "reply", or the end of a "pause" before it is repeated
	Sent      int64     `json:"sentBytes"`
}

// MediaInfo counts what is in media/.
type MediaInfo struct {
	Published   int    `json:"published"`           // files that the service has as they are shown
	Local       int    `json:"local"`               // names that stay on this machine
	Writing     int    `json:"writing"`             // files being written
	Pending     int    `json:"pending"`             // closed and waiting to be sent
	Failed      int    `json:"failed"`              // in failed/
	Unpublished int64  `json:"unpublishedBytes"`    // kept because they are not at the service
	LastError   string `json:"lastError,omitempty"` // of the last GetTree
	Idle        bool   `json:"idle"`                // nothing is on its way or waits
	Waits       string `json:"waits,omitempty"`     // why the whole queue waits
	// WritingPDFs are the PDFs for papers/ that are being written, from the mount's root.
	WritingPDFs []string `json:"writingPDFs,omitempty"`
	// FailedFiles is what lies in failed/.
	FailedFiles []Failed `json:"failedFiles,omitempty"`
	// Uploads are the files on their way to the service, in the order in which
	// they are sent.
	Uploads []Upload `json:"uploads,omitempty"`
}

// Failed is content that was not published.
type Failed struct {
	Name   string    `json:"name"`  // in failed/
	Path   string    `json:"path"`  // where it was meant to go: below media/, or Place of a PDF for papers/
	Place  string    `json:"place"` // the same from the mount's root
	Reason string    `json:"reason"`
	Size   int64     `json:"bytes"`
	Since  time.Time `json:"since"` // it is there
	// Replaced tells that the path has other content than when this failed, or is
	// being written again.
	Replaced bool `json:"replaced,omitempty"`
	// Unfinished tells that the content may be a part: its writer was killed, or a
	// write failed.
	Unfinished bool `json:"unfinished,omitempty"`
	// Unnamed tells that a kill came before the name of the content was kept.
	Unnamed bool `json:"unnamed,omitempty"`
	// Temporary tells that path is a temporary name of papers/: nothing is sent there.
	Temporary bool `json:"temporary,omitempty"`
}

// Job is a PDF that the service is not known to have finished with. Status asks nothing, so it may
// have.
type Job struct {
	GUID  string     `json:"guid"`
	Place string     `json:"place"` // of the paper, from the mount's root
	Since time.Time  `json:"since"` // it was sent
	Asked *time.Time `json:"asked,omitempty"`
}

// Upload is one file on its way.
type Upload struct {
	Path      string `json:"path"`  // below media/, or Place of a paper's PDF
	Place     string `json:"place"` // the same from the mount's root
	Size      int64  `json:"bytes"`
	Sent      int64  `json:"sentBytes"`
	LastError string `json:"lastError,omitempty"` // why it was not sent yet
}

func (s Status) render() ([]byte, error) {
	text, err := json.MarshalIndent(s, "", "  ")
	return append(text, '\n'), err
}
