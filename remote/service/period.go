package service

import (
	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/fault"
	"paperfs/remote/service/store"
)

func setPublicationPeriod(c *call, _ *answer.Writer) error {
	id, err := c.id("paperID")
	if err != nil {
		return err
	}
	from, ok := rules.Time(c.param("from"))
	to, alsoOK := rules.Time(c.param("to"))
	if !ok || !alsoOK {
		return fault.Invalid("from and to have to be UTC times like 2031-03-01 06:00:00.")
	}
	if !from.Before(to) {
		return fault.Invalid("from has to be before to.")
	}
	c.message = "The publication period is set."
	return c.setPeriod(id, remote.Period{From: from, To: to})
}

func clearPublicationPeriod(c *call, _ *answer.Writer) error {
	id, err := c.id("paperID")
	if err != nil {
		return err
	}
	c.message = "The publication period is cleared."
	return c.setPeriod(id, remote.Period{})
}

func (c *call) setPeriod(id int64, p remote.Period) error {
	return c.write(func(tx store.Writer) error {
		if _, err := c.paper(tx, id); err != nil {
			return err
		}
		return tx.SetPeriod(id, p)
	})
}
