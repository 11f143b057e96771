package generate

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

var (
	seasons  = strings.Fields("Spring Summer Autumn Winter Easter Christmas Weekend Holiday")
	subjects = strings.Fields("Garden Kitchen Bathroom Office School Travel Sports Music Fashion Jewellery Furniture Lighting Paint Timber Tools Toys Books Wine Cheese Bakery")
	forms    = strings.Fields("Catalogue Brochure Magazine Price-List Leaflet Guide Manual Report Programme Journal")
	prose    = strings.Fields("a and of the with for new our your rake spade hammer lamp chair table cloud river stone glass paper ink colour large small light heavy from price each metre box set order today until while stock lasts Käse Größe crème brûlée Ærø smörgås тетрадь σίσυφος 目録")
)

func pick(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

// title returns a name that is unique per number.
func title(r *rand.Rand, form string, number int) string {
	return pick(r, seasons) + " " + pick(r, subjects) + " " + form + " " + strconv.Itoa(number)
}

// text returns prose with that many words.
func text(r *rand.Rand, words int) string {
	var b strings.Builder
	for i := range words {
		switch {
		case i == 0:
		case i%12 == 0:
			b.WriteString(".\n")
		default:
			b.WriteByte(' ')
		}
		b.WriteString(pick(r, prose))
	}
	b.WriteString(".")
	return b.String()
}
