package service

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
)

// orderMonths is for how many months the operations return an order.
const orderMonths = 3

// checkoutType reads the parameter checkoutType.
func (c *call) checkoutType() (string, error) {
	kind := rules.Trim(c.param("checkoutType"))
	if kind == "" || slices.Contains(rules.CheckoutTypes, kind) {
		return kind, nil
	}
	f := answer.Refuse(remote.UnsupportedCheckoutType, "The checkout type is not supported.")
	f.Data = func(w *answer.Writer) {
		w.Chars(fmt.Sprintf(`The parameter checkoutType has to be one of "", "%s".`, strings.Join(rules.CheckoutTypes, `", "`)))
	}
	return "", f
}

// getFlipbookOrders answers GetFlipbookOrdersByType.
func getFlipbookOrders(c *call, w *answer.Writer) error {
	id, err := c.id("paperId")
	if err != nil {
		return err
	}
	kind, err := c.checkoutType()
	if err != nil {
		return err
	}
	return c.read(func(tx store.Reader) error {
		if err := c.licensedForOrders(); err != nil {
			return err
		}
		paper, err := c.locatedPaper(tx, id)
		if err != nil {
			return err
		}
		return answer.Orders(tx, w, []address.Place{paper}, kind, c.ordersSince())
	})
}

// getLicenseOrders answers GetLicenseOrdersByType.
func getLicenseOrders(c *call, w *answer.Writer) error {
	kind, err := c.checkoutType()
	if err != nil {
		return err
	}
	return c.read(func(tx store.Reader) error {
		if err := c.licensedForOrders(); err != nil {
			return err
		}
		root, err := c.node(tx, c.tenant.Root)
		if err != nil {
			return err
		}
		ids, err := tx.PapersWithOrders(c.tenant.ID, kind, c.ordersSince())
		if err != nil {
			return err
		}
		papers, err := address.FindPlaces(tx, c.tenant, root, func(id int64) bool {
			_, found := slices.BinarySearch(ids, id)
			return found
		})
		if err != nil {
			return err
		}
		return answer.Orders(tx, w, papers, kind, c.ordersSince())
	})
}

func (c *call) licensedForOrders() error {
	if !c.tenant.Orders {
		return answer.Refuse(remote.LoginSecurityViolation, "The licence does not include orders.")
	}
	return nil
}

func (c *call) ordersSince() time.Time { return monthsBefore(c.service.now().UTC(), orderMonths) }

// monthsBefore goes back by calendar months, at most to the last day of the
// month: three months before May 31 is the end of February.
func monthsBefore(t time.Time, months int) time.Time {
	back := t.AddDate(0, -months, 0)
	if back.Day() != t.Day() {
		back = back.AddDate(0, 0, -back.Day())
	}
	return back
}
