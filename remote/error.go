package remote

import (
	"fmt"
	"strings"

	"paperfs/remote/xmlscan"
)

// Kind says why a call failed. The mount derives its errno from it and from Code.
type Kind int

// The kinds.
const (
	// Refused: the service answered with a result code other than SUCCESS; see Code.
	Refused Kind = iota + 1
	// NotOffered: this service lacks the operation, or Options.OnlyTwenty excludes it.
	NotOffered
	// TooLarge: the request body is over the service's limit (413).
	TooLarge
	// Throttled: the service kept answering 429.
	Throttled
	// OverBudget: a read would have waited for the request budget longer than allowed; nothing was sent.
	OverBudget
	// Unreachable: no connection (name, connect, TLS), or the service is known to be away, and nothing was sent; or
	// the connection was reset before the first byte of an answer.
	Unreachable
	// Stalled: no byte moved, or no reply came, within the limit.
	Stalled
	// Broken: the answer is not what the contract describes (HTML, half a document, too large, too deep), or the
	// connection broke after sending.
	Broken
	// Status: an HTTP status other than 200 that no other kind covers, 5xx after the retries included.
	Status
	// Local: the client could not read the content to send, or has no descriptor left for a connection.
	Local
	// Cancelled: the caller's context ended.
	Cancelled
	// Elsewhere: the client does not read content from this address; nothing was sent.
	Elsewhere
	// Superseded: the service has another version of the content than the one that was asked for.
	Superseded
)

// Error is the failure of one call. Kind and Code say what happened, for code; Message is
// what the service or the layer below said. An Error never contains credentials.
type Error struct {
	Op      string // operation name
	Kind    Kind
	Code    Code   // set for Refused
	Full    Full   // set for Refused, if the service says that it is full
	Status  int    // HTTP status, if not 200
	Message string // the service's own message, or the first bytes of what came instead
	Request uint64 // number of the call in this process, as in the log
	// Foreign, set for Broken: the answer is complete, but not one of this service: a login page, for example.
	Foreign bool
	// Ambiguous: the request was sent and its outcome is unknown.
	Ambiguous bool
	Err       error // cause, may be nil
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Op)
	b.WriteString(": ")
	b.WriteString(e.Reason())
	return b.String()
}

// Reason returns the failure in words, without the operation's name.
func (e *Error) Reason() string {
	detail := e.Message
	if detail == "" && e.Err != nil {
		detail = e.Err.Error()
	}
	what := kindWords[e.Kind]
	switch {
	case e.Kind == Refused:
		what = string(e.Code)
	case e.Status != 0:
		what = fmt.Sprintf("%s (HTTP %d)", what, e.Status)
	}
	if detail == "" {
		return what
	}
	return what + ": " + detail
}

func (e *Error) Unwrap() error { return e.Err }

var kindWords = map[Kind]string{
	NotOffered:  "the service does not offer this operation",
	TooLarge:    "the service refuses a request of this size",
	Throttled:   "the service asks to slow down",
	OverBudget:  "the request budget is used up for now",
	Unreachable: "the service cannot be reached",
	Stalled:     "the service did not answer in time",
	Broken:      "the service's answer cannot be understood",
	Status:      "the service failed",
	Local:       "this machine cannot send the request",
	Cancelled:   "interrupted",
	Elsewhere:   "the content cannot be read from where the service says it is",
	Superseded:  "the service has another version of the content",
}

// Full says what is full, if that is the reason for an ERROR. The embedded service says it
// in the data of the answer, as <full what="disk"/> or <full what="quota"/>. Other
// services say it only in words.
type Full string

// The things that can be full.
const (
	FullDisk  Full = "disk"
	FullQuota Full = "quota"
)

// fullOf reads the element full; "" for any other element.
func fullOf(s *xmlscan.Scanner) Full {
	if !s.Is("full") {
		return ""
	}
	switch what := Full(s.Attr("what")); what {
	case FullDisk, FullQuota:
		return what
	}
	return ""
}
