package mounttest

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// TestAPDFBecomesAShop copies a tagged PDF and a table, writes settings, and finds a reader's order
// in orders/ within a minute.
func TestAPDFBecomesAShop(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--document-ttl", "1s", "--pdf-options", "<options><import-links>true</import-links><import-links-styleid>1</import-links-styleid><custom-link-import-name>spring</custom-link-import-name></options>")
	m.put("catalogue.pdf", pdftest.Document([]pdftest.Sheet{{Text: "Rakes\nGL-1 gloves", Links: []pdftest.Link{{Left: 100, Bottom: 100, Right: 300, Top: 200, URI: "ipaper://Shop/RK-7"}}}}))
	m.put("products.csv", []byte("Id;Name;Price\nRK-7;Rake;29,25\nGL-1;Gloves;9\n"))
	m.sh(`mkdir media/enrichment; cp "$HOME/products.csv" media/enrichment/spring.csv
		cp "$HOME/catalogue.pdf" papers/Spring.pdf; "$PAPERFS" wait papers/Spring.paper
		cd papers/Spring.paper/settings; echo CheckoutByEmail > checkout; echo shop@example.org > shopEmail`)
	for setting, value := range map[string]string{"checkout": "CheckoutByMagic", "shopEmail": "nobody", "shopExportUrl": "http://shop.example/", "shopPhone": "x", "currency": "1", "maxZoom": "9"} {
		require.Contains(t, m.fails(`echo '`+value+`' > papers/Spring.paper/settings/`+setting), "Invalid argument", setting)
	}
	require.Equal(t, "false", m.sh(`cat papers/Spring.paper/settings/iconPdf`))
	require.NotContains(t, m.sh(`cat papers/Spring.paper/orders/CheckoutByEmail.xml`), "<order ")
	form := url.Values{"checkoutType": {"CheckoutByEmail"}, "key": {uuid.NewString()}, "productId": {"RK-7", "GL-1"}, "price": {"29.25", "9"}, "amount": {"2", "1"}}
	address := strings.TrimSpace(m.sh(`cat papers/Spring.paper/address`))
	request := testrun.Must(http.NewRequestWithContext(t.Context(), http.MethodPost, address+"Order.ashx", strings.NewReader(form.Encode())))(t)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	reply := testrun.Must(http.DefaultClient.Do(request))(t)
	reply.Body.Close()
	require.Equal(t, http.StatusOK, reply.StatusCode)
	m.eventually(`grep -q RK-7 papers/Spring.paper/orders/CheckoutByEmail.xml`)
	require.Contains(t, m.sh(`cat papers/Spring.paper/orders/CheckoutByEmail.xml`), `totalOrderValue="67,5"`)
}
