package service

import (
	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
	"paperfs/remote/service/xmldoc"
)

// getLinks answers GetLinks.
func getLinks(c *call, x *answer.Writer) error {
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
	xmldoc.Links(x, links)
	return nil
}
