package answer

import (
	"strconv"
	"strings"

	"paperfs/remote/service/address"
)

// PrefersJSON reports whether Accept has more weight for JSON than for XML or, with the same weight, names JSON and has XML
// only by a wildcard, as axios does. Without a difference the answer is XML, as other services have it.
func PrefersJSON(accept []string) bool {
	ranges := address.SplitQuoted(strings.Join(accept, ","), ',')
	json, exact := weight(ranges, JSONType)
	for _, kind := range []string{"text/xml", "application/xml"} {
		if xml, named := weight(ranges, kind); xml > json || xml == json && named >= exact {
			return false
		}
	}
	return json > 0
}

// weight returns the weight of a media type in the ranges of Accept (RFC 9110, 12.5.1): that of the most exact range, and how
// exact that is.
func weight(ranges []string, kind string) (weight float64, exact int) {
	group, _, _ := strings.Cut(kind, "/")
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
	return weight, exact
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
