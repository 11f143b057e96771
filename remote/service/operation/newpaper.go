package operation

import (
	"cmp"
	"strings"

	"github.com/gosimple/slug"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/call"
	"paperfs/remote/service/property"
	"paperfs/remote/service/store"
)

// newPaper is a paper that ProcessPDF makes together with its first job: an upload that is cut off leaves no empty paper.
type newPaper struct {
	parent int64
	name   string
	// segment is the end of its address; "": a free one that is like the name.
	segment string
	period  remote.Period
	draft   bool // it is not public, unless a category above says for itself what its papers are
}

// readTarget reads for which paper a PDF is: one that is there, or a new one.
func readTarget(c *call.Call) (id int64, made *newPaper, err error) {
	if strings.TrimSpace(c.Param("parentID")) == "" {
		id, err = c.ID("paperID")
		return id, nil, err
	}
	if c.Param("paperID") != "" {
		return 0, nil, answer.Invalid("Give paperID for a paper that is there, or parentID and name for a new one.")
	}
	made = &newPaper{}
	if made.parent, err = c.ID("parentID"); err == nil {
		made.name, err = displayName("name", c.Param("name"))
	}
	if err == nil {
		made.draft, err = c.Boolean("draft", false)
	}
	return 0, made, err
}

// place returns the address of the paper, or the paper that a repeat finds: it was made from the same PDF.
func (n *newPaper) place(c *call.Call, tx store.Reader, sum [32]byte) (segment string, same store.Accepted, stands int64, err error) {
	up, err := tx.Ancestors(n.parent)
	if err != nil {
		return "", same, 0, err
	}
	if err := c.LeadsTo(up, n.parent); err != nil {
		return "", same, 0, err
	}
	language, err := languageOf(tx, n.parent)
	if err != nil {
		return "", same, 0, err
	}
	segment, has, err := freeAddress(&c.Actor, tx, up, cmp.Or(n.segment, segmentOf(n.name, language)), func(taken store.Node) (bool, error) {
		if taken.Kind != remote.PaperNode {
			return false, nil
		}
		same, err = tx.Accepted(taken.ID)
		return same.Job != "" && same.Sum == sum, err
	})
	if err == nil && n.segment != "" && segment != n.segment {
		err = urlTaken(store.ErrTaken, n.segment)
	}
	if err == nil && has.ID == 0 {
		err = paperRoom(&c.Actor, tx)
	}
	return segment, same, has.ID, err
}

// add makes it.
func (n *newPaper) add(c *call.Call, tx store.Writer, segment string) (id int64, err error) {
	id, err = tx.AddNode(store.Node{Tenant: c.Tenant.ID, Parent: n.parent, Kind: remote.PaperNode, Name: n.name, URLName: segment, Period: n.period})
	if err != nil || !n.draft {
		return id, urlTaken(err, segment)
	}
	value, decided, err := tx.InheritedSetting(id, store.PublicSetting)
	if err == nil && !(decided && value == "true") { // also below a category that is not public: a move does not publish it
		err = tx.SetSetting(id, store.PublicSetting, "false")
	}
	return id, err
}

// languageOf returns the language of a category's texts.
func languageOf(tx store.Reader, category int64) (string, error) {
	s, _ := property.FindSetting("language")
	tag, err := s.Value(tx, category)
	language, _, _ := strings.Cut(tag, "-")
	return language, err
}

// segmentOf returns the last segment of an address for a name.
func segmentOf(name, language string) string {
	if language != "de" { // which spells ä in its own way
		language = "en"
	}
	segment := strings.Trim(slug.MakeLang(name, language), "-_")
	segment = strings.TrimRight(segment[:min(len(segment), rules.MaxSegment)], "-_")
	if !rules.Segment(segment) {
		return "paper"
	}
	return segment
}
