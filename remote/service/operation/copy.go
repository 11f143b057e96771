package operation

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strings"

	"paperfs/remote/service/answer"
	"paperfs/remote/service/call"
	"paperfs/remote/service/store"
)

// copying is a paper that is made from another one: with its settings, fields, period, pages, links and PDF, without its orders
// and statistics. Nobody sees it who does not see the other one.
type copying struct {
	*call.Call
	from    store.Node
	has     store.Rendition // of the one
	images  int64           // their bytes
	made    newPaper
	segment string
	gets    store.Rendition // of the other: the same content under keys of its own
}

// copyPaper answers CopyPaper.
func copyPaper(c *call.Call, w *answer.Writer) error {
	k := copying{Call: c}
	id, noID := c.ID("paperID")
	parent, noParent := c.ID("destinationParentID")
	name, err := displayName("name", c.Param("name"))
	k.made = newPaper{parent: parent, name: name}
	if err == nil && strings.TrimSpace(c.Param("urlName")) != "" {
		k.made.segment, err = urlName(c, "urlName")
	}
	if err == nil {
		k.made.draft, err = c.Boolean("draft", false)
	}
	if err := cmp.Or(noID, noParent, err); err != nil {
		return err
	}
	if err := c.Read(func(tx store.Reader) error { return k.look(tx, id) }); err != nil {
		return err
	}
	k.gets = store.Rendition{PDFSize: k.has.PDFSize, Wishes: k.has.Wishes}
	if k.gets.PDF, err = k.content(k.has.PDF, k.has.PDFSize); err != nil {
		return err
	}
	if k.gets.Images, err = k.content(k.has.Images, k.images); err != nil {
		c.Service.Drop(c.Tenant.ID, k.gets.PDF)
		return err
	}
	var copied int64
	err = c.Write(func(tx store.Writer) (err error) { copied, err = k.make(tx, id); return err })
	if err != nil {
		c.Forget(store.File{Content: k.gets.PDF}, err)
		c.Forget(store.File{Content: k.gets.Images}, err)
		return err
	}
	c.Message = "Copied."
	w.Empty("paper", answer.Int("id", copied))
	return nil
}

// look finds what is to be copied, and the place of the copy.
func (k *copying) look(tx store.Reader, id int64) (err error) {
	if k.from, err = k.Paper(tx, id); err != nil {
		return err
	}
	if k.segment, _, _, err = k.made.place(k.Call, tx, [32]byte{}); err != nil {
		return err
	}
	busy, err := tx.BeingProcessed(id)
	if err == nil && busy {
		err = alreadyProcessed(id)
	}
	if err == nil {
		k.has, err = tx.Rendition(id)
	}
	if err = store.IgnoreNotFound(err); err != nil {
		return err
	}
	return tx.Pages(id, false, func(p store.Page) error {
		for _, i := range p.Images {
			k.images = max(k.images, i.Start+i.Bytes)
		}
		return nil
	})
}

// content copies content, and returns the key of the copy.
func (k *copying) content(key string, size int64) (string, error) {
	if key == "" {
		return "", nil
	}
	ctx := context.WithoutCancel(k.Context())
	from, err := k.Service.Contents.Open(ctx, key, 0, size)
	if store.IsNotFound(err) {
		return "", errOtherPDF
	}
	if err != nil {
		return "", err
	}
	defer from.Close()
	to, err := k.Service.Contents.Create(ctx)
	if err != nil {
		return "", err
	}
	defer to.Discard()
	if _, err := io.Copy(to, from); err != nil {
		return "", err
	}
	return to.Commit()
}

var errOtherPDF = answer.Invalid("The paper got another PDF while it was copied, so nothing was copied. Copy it again.")

// make makes the copy.
func (k *copying) make(tx store.Writer, from int64) (id int64, err error) {
	has := k.has
	if err := k.look(tx, from); err != nil {
		return 0, err
	}
	if has != k.has {
		return 0, errOtherPDF
	}
	k.made.period = k.from.Period
	if id, err = k.made.add(k.Call, tx, k.segment); err != nil {
		return 0, err
	}
	return id, k.fill(tx, from, id)
}

// fill copies what a paper has.
func (k *copying) fill(tx store.Writer, from, to int64) error {
	own, err := tx.OwnSettings(from)
	for name, value := range own {
		if err == nil && !(name == store.PublicSetting && (k.made.draft || value == "true")) { // who may see it is what its place says
			err = tx.SetSetting(to, name, value)
		}
	}
	if err != nil {
		return err
	}
	made, err := tx.Node(k.Tenant.ID, to)
	if err == nil && k.from.NotPublic && !made.NotPublic {
		err = tx.SetSetting(to, store.PublicSetting, "false")
	}
	links, failed := tx.Links(from)
	err = errors.Join(err, failed, tx.CopyPages(from, to), tx.ReplaceLinks(to, links))
	if err != nil || k.gets == (store.Rendition{}) {
		return err
	}
	return errors.Join(tx.KeepContent(k.gets.PDF), tx.KeepContent(k.gets.Images), tx.SetRendition(to, k.gets))
}
