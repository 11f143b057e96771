package operation

import (
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/call"
	"paperfs/remote/service/store"
)

const (
	// mostLines is how many changes an answer tells one by one.
	mostLines = 200
	// mostSeconds is how long a request is held: proxies end those that are silent for a minute.
	mostSeconds = int64(remote.MostWait / time.Second)
)

// news are what changed after a mark.
type news struct {
	next   string // the mark after it
	events []store.Event
	trees  []string // of more than mostLines: what to fetch; the events are those of jobs then, which no tree has
	lost   bool     // it is not known what changed
}

func (n news) any() bool { return n.lost || len(n.events)+len(n.trees) > 0 }

// wait answers when something of the tenant has changed after a mark.
func wait(c *call.Call, w *answer.Writer) error {
	seconds := mostSeconds
	if strings.TrimSpace(c.Param("seconds")) != "" {
		var err error
		if seconds, err = c.Integer("seconds", 0, mostSeconds); err != nil {
			return err
		}
	}
	after, client := strings.TrimSpace(c.Param("after")), c.Param("client")
	if len(client) > call.MostClient {
		return answer.Invalid("client has at most %d bytes.", call.MostClient)
	}
	w.Release() // who waits holds no buffer
	n, err := awaitNews(c, after, client, time.Duration(seconds)*time.Second)
	c.Resume(w)
	if err == nil {
		writeNews(c, w, n)
	}
	return err
}

// awaitNews returns what is new, and nothing after a time, at the end of the service, and for no mark.
func awaitNews(c *call.Call, after, client string, atMost time.Duration) (n news, err error) {
	all := c.Service.Followers
	timer := time.NewTimer(atMost)
	defer timer.Stop()
	for first := after == ""; ; after = n.next {
		changed := all.News(c.Tenant.ID)
		n, err = newsAfter(c, after, client)
		var again <-chan time.Time
		if errors.Is(err, store.ErrSlow) && !first { // others took all slots
			n, err, again = news{next: after}, nil, time.After(call.LookPause)
		}
		if err != nil || first || n.any() {
			return n, err
		}
		select {
		case <-changed:
		case <-again:
		case <-timer.C:
			return n, nil
		case <-all.Ended:
			return n, nil
		case <-c.Context().Done(): // nobody hears the answer
			return n, nil
		}
	}
}

// newsAfter reads what changed after a mark.
func newsAfter(c *call.Call, after, client string) (n news, err error) {
	err = c.ReadLong(c.Service.Told, func(tx store.Reader) error {
		n = news{}
		epoch, err := tx.Epoch()
		if err != nil {
			return err
		}
		last, err := tx.LastEvent(c.Tenant.ID)
		if err != nil {
			return err
		}
		n.next = epoch + "." + strconv.FormatInt(last, 10)
		if after == "" || after == n.next {
			return nil
		}
		of, text, _ := strings.Cut(after, ".")
		number, bad := strconv.ParseInt(text, 10, 64)
		has := false
		if bad == nil {
			has, err = tx.HasEvent(c.Tenant.ID, of, number)
		}
		if err != nil || !has {
			n.lost, n.trees = true, []string{"media", "papers"}
			return err
		}
		return readNews(c, tx, &n, number, client)
	})
	return n, err
}

func readNews(c *call.Call, tx store.Reader, n *news, number int64, client string) error {
	events, err := tx.Events(c.Tenant.ID, number, 0, client, mostLines+1)
	if err != nil {
		return err
	}
	if len(events) > mostLines {
		kinds, err := tx.EventKinds(c.Tenant.ID, number, client)
		for _, kind := range kinds {
			if tree := treeOf(kind); !slices.Contains(n.trees, tree) {
				n.trees = append(n.trees, tree)
			}
		}
		if err == nil {
			events, err = tx.Events(c.Tenant.ID, number, store.EventJob, client, mostLines+1)
		}
		if err != nil || len(events) > mostLines {
			return err
		}
	}
	for _, e := range events {
		if e.Kind != store.EventKept || c.Account.Role >= remote.Editor { // as GetDeleted
			n.events = append(n.events, e)
		}
	}
	return nil
}

// treeOf returns what to fetch after a change.
func treeOf(kind store.EventKind) string {
	switch kind {
	case store.EventFile, store.EventDir, store.EventKept:
		return "media"
	}
	return "papers"
}

func writeNews(c *call.Call, w *answer.Writer, n news) {
	attrs := []answer.Attr{answer.String("next", n.next)}
	if n.lost {
		attrs = append(attrs, answer.String("lost", "true"))
	}
	if !n.any() {
		w.Empty("events", attrs...)
		return
	}
	w.Open("events", attrs...)
	for _, e := range n.events {
		w.Empty("event", describeEvent(c, e)...)
	}
	for _, tree := range n.trees {
		w.Empty("tree", answer.String("kind", tree))
	}
	w.Close("events")
}

var eventWords = map[store.EventKind]string{store.EventNode: "node", store.EventFile: "file", store.EventDir: "directory", store.EventJob: "job",
	store.EventSetting: "setting", store.EventKept: "deleted"}

// describeEvent returns what a client needs to have the thing in its tree as it is now.
func describeEvent(c *call.Call, e store.Event) []answer.Attr {
	attrs := []answer.Attr{answer.String("kind", eventWords[e.Kind]), answer.Int("id", e.ID)}
	if e.Account != "" {
		attrs = append(attrs, answer.String("account", e.Account))
	}
	switch e.Kind {
	case store.EventJob:
		attrs = append(attrs, answer.String("job", e.Of), answer.String("status", string(e.Status)))
	case store.EventSetting:
		attrs = append(attrs, answer.String("name", e.Of))
	}
	if e.Gone {
		return append(attrs, answer.String("gone", "true"))
	}
	switch e.Kind {
	case store.EventNode:
		return append(attrs, describeNode(e)...)
	case store.EventFile:
		attrs = append(attrs, answer.Int("size", rules.KB(e.Size)), answer.Int("bytes", e.Size), answer.String("sha256", hex.EncodeToString(e.SHA256[:])),
			answer.String("url", c.Service.Base.Public(c.Request, c.Tenant, address.File(store.File{ID: e.ID, Name: e.Name}))))
		fallthrough
	case store.EventDir, store.EventKept:
		attrs = append(attrs, answer.Int("parent", e.Parent), answer.String("name", e.Name), answer.Int("version", e.Version))
	}
	return attrs
}

func describeNode(e store.Event) []answer.Attr {
	attrs := []answer.Attr{answer.Int("parent", e.Parent), answer.String("name", e.Name), answer.Int("version", e.Version), answer.String("url", e.URLName)}
	if p := e.Period; !p.IsZero() {
		attrs = append(attrs, answer.String("publicationperiod-from", rules.FormatTime(p.From)), answer.String("publicationperiod-to", rules.FormatTime(p.To)))
	}
	if e.NotPublic {
		attrs = append(attrs, answer.String("public", "false"))
	}
	if e.Node == remote.PaperNode {
		attrs = append(attrs, answer.String("is", "paper"), answer.Int("edition", e.Edition))
		if e.Pages > 0 {
			attrs = append(attrs, answer.Int("pages", int64(e.Pages)))
		}
		return attrs
	}
	return append(attrs, answer.String("is", "category"))
}
