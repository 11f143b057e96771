package apitest

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// passing is the clock of a service, which a test can advance.
type passing struct{ since atomic.Int64 }

func (p *passing) of(o *service.Options) {
	o.Now = func() time.Time { return clock.Add(time.Duration(p.since.Load())) }
}

func (p *passing) pass(d time.Duration) { p.since.Add(int64(d)) }

// table returns a PDF with a table of these products and the text of a plain catalogue.
func table(products, text string) []byte {
	return pdftest.Attached([]pdftest.File{{Name: "products.csv", Content: products}}, pdftest.Sheet{Text: text})
}

// TestAProductThatTheNewestTableLacksIsNotSold checks that a product that the newest table lacks keeps its
// link, without a price, and cannot be ordered. Products that an import added were never in a table
// and are still sold.
func TestAProductThatTheNewestTableLacksIsNotSold(t *testing.T) {
	t.Parallel()
	var now passing
	s := openShop(t, now.of)
	const keep = "<import-links>1</import-links><import-links-styleid>7</import-links-styleid>"
	testrun.Must(s.importText(`<import><paper url="/spring/"><root>` + importedItem("SP-1", "Spade") + `</root></paper></import>`))(t)
	status := func(id, price string) int {
		now.pass(time.Minute) // an address may order five times a minute
		return s.post(order("CheckoutByPrint", uuid.NewString(), id, price, "1")).status
	}
	s.process(s.paper, table("Id;Name;Price\nRK-7;Rake;30\nGL-1;Gloves;9\n", "RK-7\nGL-1"), pdfOptions(keep))
	require.Equal(t, []int{200, 200}, []int{status("GL-1", "9"), status("SP-1", "5")})
	s.process(s.paper, table("Id;Name;Price\nRK-7;Rake;31\n", "RK-7"), pdfOptions(keep))
	gone := s.post(order("CheckoutByPrint", uuid.NewString(), "GL-1", "9", "1"))
	require.Equal(t, 422, gone.status, "the newest table lacks the gloves")
	require.Equal(t, map[string]string{"GL-1": ""}, s.receipt(gone).Prices)
	require.Equal(t, []int{200, 200, 422}, []int{status("RK-7", "31"), status("SP-1", "5"), status("RK-7", "30")})
	require.Contains(t, fmt.Sprint(s.items(s.paper)), "<name>Gloves</name><price></price>", "the link is kept")
	s.process(s.paper, pdftest.Text("no table"), pdfOptions(keep))
	require.Equal(t, 200, status("RK-7", "31"), "the last table is still the newest")
	s.process(s.paper, table("Id;Name;Price\nGL-1;Gloves;8\n", ""), pdfOptions(keep))
	require.Equal(t, []int{200, 422, 200}, []int{status("GL-1", "8"), status("RK-7", "31"), status("SP-1", "5")})
}

// TestATableThatCannotBeReadSellsWhatWasSold checks that, after an unreadable table, all products
// are still sold: the table may contain them.
func TestATableThatCannotBeReadSellsWhatWasSold(t *testing.T) {
	t.Parallel()
	var now passing
	s := openShop(t, now.of)
	const keep = "<import-links>1</import-links><import-links-styleid>7</import-links-styleid>"
	for _, options := range []string{"", "<custom-link-import-name>none</custom-link-import-name>"} {
		now.pass(time.Minute)
		s.process(s.paper, table("Id;Name;Price\nRK-7;Rake;30\nGL-1;Gloves;9\n", "RK-7\nGL-1"), pdfOptions(keep))
		status, _ := s.ended(s.queue(s.paper, table("Id;Name;Price\nRK-7;Rake;31\n", "RK-7"), pdfOptions(keep+options)))
		want := 422
		if options != "" {
			require.Equal(t, remote.JobEnrichmentFailed, status)
			want = 200
		}
		require.Equal(t, want, s.post(order("CheckoutByPrint", uuid.NewString(), "GL-1", "9", "1")).status)
		require.Equal(t, 200, s.post(order("CheckoutByPrint", uuid.NewString(), "RK-7", "31", "1")).status)
	}
}

func importedItem(id, name string) string {
	return fmt.Sprintf(`<link number="1"><number>1</number><x>0.1</x><y>0.1</y><width>0.1</width><height>0.1</height><alttext>%s</alttext><shapetype>rectangle</shapetype>`+
		`<linktype>shopitem</linktype><param>&lt;item&gt;&lt;name&gt;%s&lt;/name&gt;&lt;price&gt;5&lt;/price&gt;&lt;descr&gt;&lt;/descr&gt;&lt;id&gt;%s&lt;/id&gt;&lt;/item&gt;</param></link>`, name, name, id)
}

// TestIdsWithBlanksAndSignsAreSold checks that such ids in a plain catalogue can be ordered.
func TestIdsWithBlanksAndSignsAreSold(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.process(s.paper, table("Id;Name;Price\nAB 12-3/4;Saw;12\nC++;Book;40\n", "Saw: AB 12-3/4, steel\nC++\nAB 12-3/45"), pdfOptions(imports))
	require.Len(t, s.items(s.paper), 2)
	require.Equal(t, 200, s.post(order("CheckoutByPrint", uuid.NewString(), "AB 12-3/4", "12", "1", "C++", "40", "1")).status)
}

// TestAnImportKeepsTheKeyOfAnOrder checks that, after an import of its order, a basket still makes
// no second order.
func TestAnImportKeepsTheKeyOfAnOrder(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	form := order("CheckoutByPrint", uuid.NewString(), "GL-1", "9", "2")
	id := s.receipt(s.post(form)).OrderID
	answered := s.orders()
	_, err := s.importText(`<import><paper url="/spring/"><orders>` + answered[strings.Index(answered, "<order "):strings.Index(answered, "</orders>")] + `</orders></paper></import>`)
	require.NoError(t, err)
	require.Equal(t, id, s.receipt(s.post(form)).OrderID)
	require.Equal(t, 1, strings.Count(s.orders(), "<order "))
}

// TestCapsOfADay checks the caps of 24 hours: 2,000 orders for a paper and 20,000 for a tenant.
func TestCapsOfADay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ ofPaper, ofOther int }{"paper": {2_000, 0}, "tenant": {1_999, 18_001}} {
		t.Run(name, func(t *testing.T) {
			var now passing
			s := openShop(t, now.of)
			send := func() reply { return s.post(order("CheckoutByPrint", uuid.NewString(), "GL-1", "9", "1")) }
			other, at := s.server.paper(s.root(), "autumn"), clock.Add(-time.Hour)
			add := func(paper string, orders int) {
				s.beside(paper, func(tx store.Writer, id int64) error {
					of, err := tx.TenantByName("default")
					for n := 0; n < orders && err == nil; n++ {
						guid := uuid.NewString()
						err = tx.AddOrder(of.ID, store.Order{ID: guid, Paper: id, Date: at, CheckoutType: rules.CheckoutTypes[0]}, guid)
					}
					return err
				})
			}
			add(s.paper, c.ofPaper-1)
			add(other, c.ofOther)
			require.Equal(t, 200, send().status, "the last order within the cap")
			r := send()
			require.Equal(t, 429, r.status)
			require.Equal(t, "3600", r.header.Get("Retry-After"))
			require.Contains(t, s.receipt(r).Refused, "too many")
			now.pass(23*time.Hour + time.Second)
			require.Equal(t, 200, send().status, "the earlier orders are a day old")
		})
	}
}
