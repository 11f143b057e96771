package answer

import (
	"strconv"
	"strings"

	"paperfs/remote/service/address"
)

// PrefersJSON reports whether Accept has more weight for JSON than for XML. Without a difference the answer is XML, as
// other services have it: many clients name JSON beside */* whatever they ask for.
func PrefersJSON(accept []string) bool {
	ranges := address.SplitQuoted(strings.Join(accept, ","), ',')
	return weight(ranges, JSONType) > max(weight(ranges, "text/xml"), weight(ranges, "application/xml"))
}

// weight returns the weight of a media type in the ranges of Accept (RFC 9110, 12.5.1): that of the most exact range.
func weight(ranges []string, kind string) (weight float64) {
	group, _, _ := strings.Cut(kind, "/")
	exact := 0
	for _, text := range ranges {
		parts := address.SplitQuoted(text, ';')
		if len(parts) == 0 {
			continue
		}
		fits := 0
		switch strings.ToLower(strings.TrimSpace(parts[0])) {
		case kind:
			fits = 3
		case group + "/*":
			fits = 2
		case "*/*":
			fits = 1
		}
		if fits > exact {
			exact, weight = fits, quality(parts[1:])
		}
	}
	return weight
}

// quality returns the weight among the parameters of a range: 1 without one, 0 for one that is no number.
func quality(parameters []string) float64 {
	for _, p := range parameters {
		name, text, _ := strings.Cut(p, "=")
		if strings.EqualFold(strings.TrimSpace(name), "q") {
			q, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			if err != nil || !(q >= 0 && q <= 1) {
				return 0
			}
			return q
		}
	}
	return 1
}
