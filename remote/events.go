package remote

import (
	"context"
	"strconv"
	"time"

	"paperfs/remote/rules"
	"paperfs/remote/xmlscan"
)

// MostWait is how long a service holds a Wait at most.
const MostWait = 55 * time.Second

// News is what changed after a mark (contract, 4.10).
type News struct {
	Next   string // the mark after it
	Lost   bool   // it is not known what changed: both trees have to be fetched
	Events []Event
	Trees  []string // media, papers: these have to be fetched, too many changes were made
}

// Event is a thing that changed, as it is now.
type Event struct {
	Kind    string // node, file, directory, job, setting, deleted
	ID      int64  // of a job or setting, its paper's
	Gone    bool   // then only Kind, ID, Job and, of a setting, Name are known
	Parent  int64
	Name    string
	Version Version
	Job     string // GUID
	Status  JobStatus
	Bytes   int64 // of a file, as the next three
	SizeKB  int64
	SHA256  string // in hex
	URL     string
	Paper   bool // of a node: it is no category
	URLName string
	Period  Period
	Edition Version
	Pages   PageTotal // of a paper
}

// Any reports whether something changed.
func (n News) Any() bool { return n.Lost || len(n.Events)+len(n.Trees) > 0 }

// Wait returns when something has changed after a mark, or after a time, at most MostWait: then nothing is told but the
// next mark. "" asks for a mark, at once. What was changed under ClientHeader with this name is not told; "" tells all.
// A call for more than no time is attempted once, and fails at once while the service is known to be away.
func (c *Client) Wait(ctx context.Context, after string, atMost time.Duration, client string) (News, error) {
	var n News
	seconds := strconv.FormatInt(int64(min(atMost, MostWait)/time.Second), 10)
	held := atMost >= time.Second
	if held {
		ctx = Once(ctx)
	}
	r := &request{op: Wait, held: held, params: []string{after, seconds}, want: func() reading { return n.read() }}
	if client != "" {
		r.own = []string{"client", client}
	}
	_, err := c.do(ctx, r)
	return n, err
}

func (n *News) read() reading {
	*n = News{} // of an earlier attempt
	var o Offers
	return reading{offers: &o, check: func() error {
		if n.Next == "" {
			return broken("the answer has no mark")
		}
		return nil
	}, data: func(s *xmlscan.Scanner) error {
		return s.EachBelow(func() error {
			switch s.Local() {
			case "events":
				n.Next, n.Lost = s.AttrText("next"), xmlscan.ParseBool(s.Attr("lost"))
			case "event":
				n.Events = append(n.Events, readEvent(s, o))
			case "tree":
				n.Trees = append(n.Trees, s.AttrText("kind"))
			}
			return nil
		})
	}}
}

func readEvent(s *xmlscan.Scanner, o Offers) Event {
	e := Event{Kind: s.AttrText("kind"), Name: s.AttrText("name"), Gone: xmlscan.ParseBool(s.Attr("gone")), Version: attrVersion(s, "version"),
		Job: s.AttrText("job"), Status: JobStatus(s.AttrText("status")), Paper: s.AttrText("is") == "paper", Edition: attrVersion(s, "edition")}
	if e.Paper {
		e.Pages = pagesTold(s, o)
	}
	e.ID = xmlscan.ParseNumber(s.Attr("id"))
	if parent := s.Attr("parent"); parent != nil {
		e.Parent = xmlscan.ParseNumber(parent)
	}
	switch {
	case e.Gone:
	case e.Kind == "file":
		e.Bytes, e.SizeKB = xmlscan.ParseNumber(s.Attr("bytes")), xmlscan.ParseNumber(s.Attr("size"))
		e.SHA256, e.URL = s.AttrText("sha256"), s.AttrText("url")
	case e.Kind == "node":
		e.URLName = s.AttrText("url")
	}
	from, fromOK := rules.Time(s.AttrText("publicationperiod-from"))
	to, toOK := rules.Time(s.AttrText("publicationperiod-to"))
	if fromOK && toOK {
		e.Period = Period{from, to}
	}
	return e
}
