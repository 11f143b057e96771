package remote

import (
	"context"
	"strconv"
	"time"

	"paperfs/remote/rules"
	"paperfs/remote/xmlscan"
)

// Entry is something that a change took away, and that the service keeps (contract, 4.10).
type Entry struct {
	Entry    int64
	Kind     string // file, directory, paper, category, pdf
	ID       int64  // of what it was
	Name     string
	Path     string    // where it was; of GetDeleted and Restored.Left
	Parent   int64     // the directory or category that it was in; of GetDeleted
	Replaced bool      // another version came in its place
	At       time.Time // when, UTC
	Account  string    // by whom
	Bytes    int64
	Version  Version // after it came back
	Address  string  // of a paper that came back with another address
	Job      string  // that processes a PDF that came back
	Undone   bool    // how it was before has come back already: RestoreAll passes over it
	Reason   string  // why it did not come back
}

// Restored is the outcome of a Restore.
type Restored struct {
	Back []Entry // parents before what is in them
	Left []Entry
}

// Place is where something was taken away: at or below a path or, if Node is not 0, a category or paper, which may
// have another name and place meanwhile.
type Place struct {
	Path string
	Node int64
}

func (p Place) params() []string {
	if p.Node != 0 {
		return []string{"paperID", decimal(p.Node)}
	}
	return []string{"path", p.Path}
}

// GetDeleted returns what was taken away at a place since a time, newest first; the zero values mean no limit.
func (c *Client) GetDeleted(ctx context.Context, at Place, since time.Time, limit int) ([]Entry, error) {
	var found []Entry
	r := &request{op: GetDeleted, own: at.params(), want: func() reading { return entries(map[string]*[]Entry{"entry": &found}) }}
	if !since.IsZero() {
		r.own = append(r.own, "since", rules.FormatTime(since))
	}
	if limit > 0 {
		r.own = append(r.own, "limit", strconv.Itoa(limit))
	}
	_, err := c.do(ctx, r)
	return found, err
}

// Restore brings back an entry; name is another name for what was deleted, or "". The parents of what was deleted come
// back as well. VersionConflict: the name is taken.
func (c *Client) Restore(ctx context.Context, entry int64, name string) (Restored, error) {
	return c.restore(ctx, "entryID", decimal(entry), "name", name)
}

// GetEntry reads a part of the content of a file or PDF that is kept.
func (c *Client) GetEntry(ctx context.Context, entry int64, part Part) (*Received, error) {
	r := &request{op: GetContent, params: []string{""}, own: []string{"entryID", decimal(entry)}, number: c.requests.Add(1)}
	if err := c.prepare(ctx, r); err != nil {
		return nil, err
	}
	if err := c.await(ctx, r); err != nil {
		return nil, err
	}
	return c.fetch(ctx, r, c.base.JoinPath(r.op.Path()), part)
}

// RestoreAll brings back all that this account took away at a place since a time.
func (c *Client) RestoreAll(ctx context.Context, at Place, since time.Time) (Restored, error) {
	return c.restore(ctx, append(at.params(), "since", rules.FormatTime(since))...)
}

func (c *Client) restore(ctx context.Context, own ...string) (r Restored, err error) {
	_, err = c.do(ctx, &request{op: Restore, own: own, want: func() reading {
		return entries(map[string]*[]Entry{"restored": &r.Back, "left": &r.Left})
	}})
	return r, err
}

// Purge removes an entry for good.
func (c *Client) Purge(ctx context.Context, entry int64) error {
	return c.call(ctx, Purge, nil, decimal(entry))
}

// entries reads elements by name, each into its list.
func entries(lists map[string]*[]Entry) reading {
	for _, list := range lists {
		*list = nil // of an earlier attempt
	}
	return reading{data: func(s *xmlscan.Scanner) error {
		return s.EachBelow(func() error {
			if list := lists[s.Local()]; list != nil {
				*list = append(*list, readEntry(s))
			}
			return nil
		})
	}}
}

func readEntry(s *xmlscan.Scanner) Entry {
	e := Entry{Kind: s.AttrText("kind"), Name: s.AttrText("name"), Path: s.AttrText("path"), Replaced: s.AttrText("what") == "replaced",
		Account: s.AttrText("account"), Version: attrVersion(s, "version"), Address: s.AttrText("address"), Reason: s.AttrText("reason"), Undone: xmlscan.ParseBool(s.Attr("undone"))}
	e.Entry, e.ID, e.Bytes = xmlscan.ParseNumber(s.Attr("entryid")), xmlscan.ParseNumber(s.Attr("id")), xmlscan.ParseNumber(s.Attr("bytes"))
	e.Parent = xmlscan.ParseNumber(s.Attr("parentid"))
	e.Job = s.AttrText("job-guid")
	e.At, _ = rules.Time(s.AttrText("time"))
	return e
}
