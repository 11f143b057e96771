package service

import (
	"time"

	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
	"paperfs/remote/service/xmldoc"
)

// getPaperStructure answers GetPaperStructure.
func getPaperStructure(c *call, w *answer.Writer) error {
	id, err := c.id("paperID")
	if err != nil {
		return err
	}
	text, err := c.boolean("includeIndexedText", false)
	if err != nil {
		return err
	}
	return c.read(func(tx store.Reader) error {
		paper, err := c.locatedPaper(tx, id)
		if err != nil {
			return err
		}
		url := paper.URL()
		w.Open("paper", answer.Int("id", id), answer.String("name", paper.Name), answer.String("url", url))
		form := xmldoc.PageForm{Text: text, Image: c.imageAddresses(id, url)}
		if text && c.service.options.DigitImageTypes {
			form.ImageTypes = address.ImageTypes
		}
		open := false
		err = tx.Pages(id, text, func(p store.Page) error {
			if !open {
				w.Open("pages")
				open = true
			}
			form.Page(w, p)
			return nil
		})
		if open {
			w.Close("pages")
		} else {
			w.Empty("pages")
		}
		w.Close("paper")
		return err
	})
}

// imageAddresses returns a function that makes the addresses of a paper's images. The
// addresses of images that this service keeps have a signature, with which anybody can
// see the image for a time.
func (c *call) imageAddresses(paper int64, url string) func(page int64, i store.Image) string {
	base := c.service.base.Public(c.request, c.tenant, url+address.ImageFile)
	expiry := c.service.images.Expiry(time.Time{})
	return func(page int64, i store.Image) string {
		if i.Bytes == 0 {
			return i.URL
		}
		return base + c.service.images.Query(paper, page, i.Type, expiry)
	}
}

// getLinks answers GetLinks.
func getLinks(c *call, w *answer.Writer) error {
	id, err := c.id("paperID")
	if err != nil {
		return err
	}
	var links []store.Link
	err = c.read(func(tx store.Reader) error {
		if _, err := c.paper(tx, id); err != nil {
			return err
		}
		links, err = tx.Links(id)
		return err
	})
	if err != nil {
		return err
	}
	xmldoc.Links(w, links)
	return nil
}
