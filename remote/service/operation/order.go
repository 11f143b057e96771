package operation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/call"
	"paperfs/remote/service/store"
)

// orderMonths is for how many months the operations return an order.
const orderMonths = 3

// readCheckoutType reads the parameter checkoutType.
func readCheckoutType(c *call.Call) (string, error) {
	kind := rules.Trim(c.Param("checkoutType"))
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
func getFlipbookOrders(c *call.Call, w *answer.Writer) error {
	id, noID := c.ID("paperId")
	kind, noKind := readCheckoutType(c)
	if err := cmp.Or(noID, noKind); err != nil {
		return err
	}
	return c.Read(func(tx store.Reader) error {
		if err := licensedForOrders(c); err != nil {
			return err
		}
		paper, err := c.LocatedPaper(tx, id)
		if err != nil {
			return err
		}
		return answer.Orders(tx, w, []address.Place{paper}, kind, ordersSince(c))
	})
}

// getLicenseOrders answers GetLicenseOrdersByType.
func getLicenseOrders(c *call.Call, w *answer.Writer) error {
	kind, err := readCheckoutType(c)
	if err != nil {
		return err
	}
	return c.Read(func(tx store.Reader) error {
		if err := licensedForOrders(c); err != nil {
			return err
		}
		root, err := c.Node(tx, c.Tenant.Root)
		if err != nil {
			return err
		}
		ids, err := tx.PapersWithOrders(c.Tenant.ID, kind, ordersSince(c))
		if err != nil {
			return err
		}
		papers, err := address.FindPlaces(tx, c.Tenant, root, func(id int64) bool {
			_, found := slices.BinarySearch(ids, id)
			return found
		})
		if err != nil {
			return err
		}
		return answer.Orders(tx, w, papers, kind, ordersSince(c))
	})
}

func licensedForOrders(c *call.Call) error {
	if !c.Tenant.Orders {
		return answer.Refuse(remote.LoginSecurityViolation, "The licence does not include orders.")
	}
	return nil
}

func ordersSince(c *call.Call) time.Time { return monthsBefore(c.Service.Now().UTC(), orderMonths) }

// monthsBefore goes back by calendar months, at most to the last day of the
// month: three months before May 31 is the end of February.
func monthsBefore(t time.Time, months int) time.Time {
	back := t.AddDate(0, -months, 0)
	if back.Day() != t.Day() {
		back = back.AddDate(0, 0, -back.Day())
	}
	return back
}
