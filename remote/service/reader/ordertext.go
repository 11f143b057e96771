package reader

import (
	"fmt"
	"strings"

	"paperfs/remote/service/reader/view"
	"paperfs/remote/service/store"
)

// textBytes is the largest length of an order's text. It becomes part of an address, and
// programs truncate longer addresses.
const textBytes = 1200

// orderText returns an order as the text of a message of about most bytes. Its first line also serves as the subject.
func (s *shop) orderText(f view.Frame, o store.Order, most int) (string, error) {
	total, err := o.Total()
	if err != nil {
		return "", err
	}
	w := f.Words()
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\r\n%s\r\n%s\r\n\r\n", w.Order, o.ID, f.Name, f.Canonical)
	for i, l := range o.Lines {
		line := fmt.Sprintf("%d × %s (%s): %s\r\n", l.Amount, l.Name, l.ProductID, s.money(w, l.Price))
		if b.Len()+len(line) > most {
			fmt.Fprintf(&b, "… (+%d)\r\n", len(o.Lines)-i)
			break
		}
		b.WriteString(line)
	}
	fmt.Fprintf(&b, "\r\n%s: %s\r\n", w.Total, s.money(w, total))
	return b.String(), nil
}

func (s *shop) money(w view.Words, amount string) string { return w.Money(amount, s.currency) }
