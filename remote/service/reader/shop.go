package reader

import (
	"encoding/xml"
	"net/url"
	"slices"
	"strings"

	"paperfs/remote/rules"
	"paperfs/remote/service/reader/view"
	"paperfs/remote/service/store"
)

// shop says how the products of a paper are ordered.
type shop struct {
	types                          []string // checkout types on offer, without those that lack a recipient
	email, phone, export, currency string
}

// shopOf returns the shop of a node, or nil if the node takes no orders.
func shopOf(conf *settings, tenant store.Tenant) *shop {
	s := &shop{email: conf.text("shopEmail"), phone: conf.text("shopPhone"), export: conf.text("shopExportUrl"), currency: conf.text("currency")}
	needs := map[string]string{"CheckoutByEmail": s.email, "CheckoutByExport": s.export, "CheckoutBySms": s.phone}
	for _, kind := range strings.Fields(conf.text("checkout")) {
		if need, some := needs[kind]; !some || need != "" {
			s.types = append(s.types, kind)
		}
	}
	if len(s.types) == 0 || !tenant.Orders {
		return nil
	}
	return s
}

// view returns what pages show of the shop.
func (s *shop) view(paper int64, preview bool) *view.Shop {
	v := &view.Shop{Paper: paper, Currency: s.currency, Preview: preview}
	for _, kind := range s.types {
		v.Checkouts = append(v.Checkouts, view.Checkout{Type: kind, To: s.to(kind)})
	}
	return v
}

// to returns the recipient of an order, or "" if the reader chooses it.
func (s *shop) to(kind string) string {
	switch kind {
	case "CheckoutByEmail":
		return s.email
	case "CheckoutBySms":
		return s.phone
	case "CheckoutByExport":
		u, _ := url.Parse(s.export) // the setting's form was checked
		return u.Host
	}
	return ""
}

// origin returns the origin of the export, for the page's policy, or "" if there is none.
func (s *shop) origin() string {
	if s == nil || !slices.Contains(s.types, "CheckoutByExport") {
		return ""
	}
	return "https://" + s.to("CheckoutByExport")
}

// handover returns what the reader's browser does with a recorded order: text is that of a message, all the whole one.
func (s *shop) handover(o store.Order, text, all string) view.Handover {
	h := view.Handover{Type: o.CheckoutType, Text: all}
	body := "body=" + escapeText(text)
	switch o.CheckoutType {
	case "CheckoutByEmail", "CheckoutBySharingEmail":
		to := ""
		if o.CheckoutType == "CheckoutByEmail" {
			h.Shop = s.email
			to = strings.ReplaceAll(url.PathEscape(s.email), "&", "%26")
		}
		subject, _, _ := strings.Cut(text, "\r\n")
		h.To = view.Address("mailto:" + to + "?subject=" + escapeText(subject) + "&" + body)
	case "CheckoutBySms":
		h.Shop = s.phone
		h.To = view.Address("sms:" + dialled(s.phone) + "?" + body)
	case "CheckoutByWhatsApp":
		number, whole := strings.CutPrefix(dialled(s.phone), "+")
		if h.Shop = s.phone; !whole {
			number, h.Shop = "", "" // the reader chooses the recipient
		}
		h.To = view.Address("https://wa.me/" + number + "?text=" + escapeText(text))
	case "CheckoutByExport":
		h.To = view.Address(s.export)
		h.Basket = s.basket(o)
	}
	return h
}

// basket returns an order as XML for the shop's site.
func (s *shop) basket(o store.Order) string {
	type item struct {
		ID          string `xml:"id"`
		Name        string `xml:"name"`
		Description string `xml:"description"`
		Price       string `xml:"price"`
		Amount      int64  `xml:"amount"`
	}
	doc := struct {
		XMLName  xml.Name `xml:"shop"`
		Paper    int64    `xml:"paperId,attr"`
		Order    string   `xml:"orderId,attr"`
		Date     string   `xml:"orderDate,attr"`
		Currency string   `xml:"currency,attr"`
		Items    []item   `xml:"item"`
	}{Paper: o.Paper, Order: o.ID, Date: rules.FormatTime(o.Date), Currency: s.currency}
	for _, l := range o.Lines {
		doc.Items = append(doc.Items, item{l.ProductID, l.Name, l.Description, l.Price, l.Amount})
	}
	text, err := xml.Marshal(doc)
	if err != nil {
		panic(err) // cannot fail: strings and numbers
	}
	return string(text)
}

// dialled returns the digits and plus signs of a telephone number.
func dialled(phone string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r == '+' {
			return r
		}
		return -1
	}, phone)
}

// escapeText escapes a query value with %20 for a space: mailto and sms addresses are not forms.
func escapeText(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
