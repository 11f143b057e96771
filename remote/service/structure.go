package service

import (
	"slices"
	"strconv"

	"paperfs/remote/service/store"
)

// imageTypes in the order of the digits that stand for them, from 1.
var imageTypes = []string{"Zoom", "Normal", "Thumb"}

// getPaperStructure answers GetPaperStructure.
func getPaperStructure(c *call, x *xmlWriter) error {
	id, err := c.id("paperID")
	if err != nil {
		return err
	}
	text, err := c.boolean("includeIndexedText", false)
	if err != nil {
		return err
	}
	return c.read(func(tx store.Reader) error {
		paper, err := c.paper(tx, id)
		if err != nil {
			return err
		}
		url, err := c.address(tx, id)
		if err != nil {
			return err
		}
		x.Open("paper", n("id", id), a("name", paper.Name), a("url", url))
		open := false
		err = tx.Pages(id, text, func(p store.Page) error {
			if !open {
				x.Open("pages")
				open = true
			}
			c.writePage(x, p, text)
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

func (c *call) writePage(x *xmlWriter, p store.Page, text bool) {
	x.Open("page", n("id", p.ID), n("number", int64(p.Number)), trueFalse("part-of-index", p.PartOfIndex))
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
				kind = strconv.Itoa(slices.Index(imageTypes, i.Type) + 1)
			}
			x.Empty("image", n("file-size", i.SizeKB), a("type", kind), a("url", i.URL))
		}
		x.Close("images")
	}
	x.Close("page")
}
