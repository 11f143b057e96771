package control

import (
	"encoding/json"
	"time"
)

// Status is the content of the file status, as JSON. Fields are added, and never change
// their meaning.
type Status struct {
	Version    string      `json:"version"`
	PID        int         `json:"pid"`
	Mountpoint string      `json:"mountpoint"`
	Since      time.Time   `json:"since"`          // when the mount started
	Timezone   string      `json:"timezone"`       // of dates in publication, by its name or its offset now
	Lost       string      `json:"lost,omitempty"` // why nothing can be changed: the mount's state was removed, or cannot be written, or its disk failed
	Service    Service     `json:"service"`
	Tree       Tree        `json:"tree"`
	Requests   Requests    `json:"requests"`
	Media      MediaInfo   `json:"media"`
	Jobs       []Job       `json:"jobs,omitempty"`
	FailedJobs []FailedJob `json:"failedJobs,omitempty"`
	Failures   uint64      `json:"failures"` // operations that failed since the mount
}

// Service describes the service of a mount.
type Service struct {
	URL       string     `json:"url"`
	Data      string     `json:"data,omitempty"` // directory of the embedded service
	AwaySince *time.Time `json:"awaySince,omitempty"`
	// AskedAgain is when the next call will check whether the service is back.
	AskedAgain *time.Time `json:"askedAgain,omitempty"`
	// Trouble is why the last request failed, if requests are repeated for that reason:
	// no connection, no answer in time, or HTTP 502, 503 or 504.
	Trouble      string     `json:"trouble,omitempty"`
	TroubleSince *time.Time `json:"troubleSince,omitempty"`
	// Told means that the service tells of changes. Otherwise the mount asks.
	Told bool `json:"told"`
	// Forms: the service offers to take content raw, but has refused it. Content goes as base64 until the next mount.
	Forms bool `json:"forms,omitempty"`
	// Refused is why the service, or a proxy in front of it, does not let the account
	// in.
	Refused string `json:"refused,omitempty"`
	// Reads means that the account may only read, so the mount is for reading.
	Reads bool `json:"reads,omitempty"`
}

// Tree is the catalogue below papers/.
type Tree struct {
	RootID     int64      `json:"rootId,omitempty"`
	RootURL    string     `json:"rootUrl,omitempty"`
	Nodes      int        `json:"nodes"`
	Fetched    *time.Time `json:"fetched,omitempty"` // when the request for the shown tree was sent
	Refreshing bool       `json:"refreshing"`
	LastError  string     `json:"lastError,omitempty"` // of the last refresh
}

// Requests counts the requests to the service since the mount.
type Requests struct {
	ByOperation map[string]uint64 `json:"byOperation"`
	Failed      uint64            `json:"failed"` // calls that failed after a request
	// HeldBack counts calls that failed without a request: the limit was used up, or the
	// service was known to be away.
	HeldBack uint64 `json:"heldBack"`
	Sent     uint64 `json:"sentBytes"`
	Received uint64 `json:"receivedBytes"`
	Used     int    `json:"used"`  // in the last minute
	Limit    int    `json:"limit"` // per minute; 0 for none
	// FullLimit is the configured limit. Limit is lower for a while after the service
	// refused more.
	FullLimit int `json:"fullLimit"`

	Waiting           int `json:"waiting"`           // calls that wait for the limit while a program waits for them
	WaitingBackground int `json:"waitingBackground"` // queued uploads that wait for the limit
	Repeating         int `json:"repeating"`         // failed calls that pause before they are repeated
	// UnderWay are the unfinished calls, the oldest first.
	UnderWay []Call `json:"underWay,omitempty"`
	// NextIn is in how many seconds the next waiting call begins, or else a call made
	// now.
	NextIn float64 `json:"nextInSeconds"`
}

// Call is an unfinished call of the service.
type Call struct {
	Operation string    `json:"operation"`
	Since     time.Time `json:"since"`
	Waits     string    `json:"waits"` // for the "limit" of requests, the "reply", or the end of a "pause" before a repetition
	Sent      int64     `json:"sentBytes"`
}

// MediaInfo counts what is in media/.
type MediaInfo struct {
	Published   int    `json:"published"`           // files that the service has as the mount shows them
	Local       int    `json:"local"`               // names that stay on this machine
	Writing     int    `json:"writing"`             // files with unsent content that is not queued
	Pending     int    `json:"pending"`             // closed and waiting for upload
	Failed      int    `json:"failed"`              // in failed/
	Unpublished int64  `json:"unpublishedBytes"`    // stored locally because they are not on the service
	LastError   string `json:"lastError,omitempty"` // of the last GetTree
	Idle        bool   `json:"idle"`                // nothing is under way or waiting
	Waits       string `json:"waits,omitempty"`     // why the whole queue waits
	// WritingPDFs are the PDFs for papers/ that programs are writing, by path from the mount's root.
	WritingPDFs []string `json:"writingPDFs,omitempty"`
	// FailedFiles are the entries of failed/.
	FailedFiles []Failed `json:"failedFiles,omitempty"`
	// Uploads are the files waiting for or under upload, in the order in which they are
	// sent.
	Uploads []Upload `json:"uploads,omitempty"`
	// Downloads are the files of which content is on its way.
	Downloads []Download `json:"downloads,omitempty"`
}

// Failed is content that was not published.
type Failed struct {
	Name  string `json:"name"`         // in failed/
	Path  string `json:"path"`         // its destination: below media/, or Place of a PDF for papers/
	Place string `json:"place"`        // the same from the mount's root
	Paper int64  `json:"id,omitempty"` // of a PDF, if there was one
	// Gone means that this paper is not there any more, or the category in which a PDF was to make one.
	Gone bool `json:"gone,omitempty"`
	// Suffix ends the name if other content for the same place was in failed/: " (older)".
	Suffix string    `json:"suffix,omitempty"`
	Reason string    `json:"reason"`
	Size   int64     `json:"bytes"`
	Since  time.Time `json:"since"` // when the entry was created
	// Replaced means that the path has other content since the failure, or that a program is
	// writing to it again.
	Replaced bool `json:"replaced,omitempty"`
	// Unfinished means that the content may be incomplete: its writer was killed, or a write
	// failed.
	Unfinished bool `json:"unfinished,omitempty"`
	// Unnamed means that paperfs was killed before it had stored the name of the content.
	Unnamed bool `json:"unnamed,omitempty"`
	// Temporary means that path is a temporary name of papers/, to which nothing is sent.
	Temporary bool `json:"temporary,omitempty"`
}

// Job is a PDF that the service may not have finished processing. The status sends no
// request, so the job may have ended.
type Job struct {
	GUID  string     `json:"guid"`
	Place string     `json:"place"` // of the paper, from the mount's root
	Since time.Time  `json:"since"` // when the PDF was sent
	Asked *time.Time `json:"asked,omitempty"`
}

// FailedJob is a PDF that the service could not process as a whole.
type FailedJob struct {
	GUID   string    `json:"guid"`
	Place  string    `json:"place"` // of the paper, from the mount's root
	Since  time.Time `json:"since"` // when the PDF was sent
	Status string    `json:"status"`
	Reason string    `json:"reason,omitempty"`
}

// Upload is one file waiting for or under upload.
type Upload struct {
	Path      string `json:"path"`  // below media/, or Place of a paper's PDF
	Place     string `json:"place"` // the same from the mount's root
	Size      int64  `json:"bytes"`
	Sent      int64  `json:"sentBytes"`
	LastError string `json:"lastError,omitempty"` // why it has not been sent yet
}

// Download is one file of which content is on its way.
type Download struct {
	Place string `json:"place"` // from the mount's root
	Size  int64  `json:"bytes"` // -1: not known yet
	Here  int64  `json:"hereBytes"`
}

func (s Status) render() ([]byte, error) {
	text, err := json.MarshalIndent(s, "", "  ")
	return append(text, '\n'), err
}
