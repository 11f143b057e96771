package service

import (
	"slices"
	"strconv"
	"time"

	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
)

// getPaperStructure answers GetPaperStructure.
func getPaperStructure(c *call, x *answer.Writer) error {
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
		x.Open("paper", answer.Int("id", id), answer.String("name", paper.Name), answer.String("url", url))
		image := c.imageAddresses(id, url)
		open := false
		err = tx.Pages(id, text, func(p store.Page) error {
			if !open {
				x.Open("pages")
				open = true
			}
			c.writePage(x, p, text, image)
			return nil
		})
		if open {
			x.Close("pages")
		} else {
			x.Empty("pages")
		}
		x.Close("paper")
		return err
	})
}

// imageAddresses returns what makes the addresses of a paper's images. Those that
// are kept here get a signature, with which anybody can see them for a time.
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

func (c *call) writePage(x *answer.Writer, p store.Page, text bool, image func(int64, store.Image) string) {
	x.Open("page", answer.Int("id", p.ID), answer.Int("number", int64(p.Number)), answer.TrueFalse("part-of-index", p.PartOfIndex))
	if text {
		x.Text("text", p.Text)
	}
	if len(p.Images) == 0 {
		x.Empty("images")
	} else {
		x.Open("images")
		for _, i := range p.Images {
			kind := i.Type
			if text && c.service.options.DigitImageTypes {
				kind = strconv.Itoa(slices.Index(address.ImageTypes, i.Type) + 1)
			}
			x.Empty("image", answer.Int("file-size", i.SizeKB), answer.String("type", kind), answer.String("url", image(p.ID, i)))
		}
		x.Close("images")
	}
	x.Close("page")
}
