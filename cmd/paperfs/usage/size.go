package usage

import (
	"math"
	"strings"

	"github.com/dustin/go-humanize"
)

// Size reads a number of bytes such as 10GiB. A comma is no part of one:
// humanize leaves it out, and so takes 1,5GiB for 15GiB.
func Size(text string) (int64, bool) {
	bytes, err := humanize.ParseBytes(text)
	return int64(bytes), err == nil && bytes <= math.MaxInt64 && !strings.Contains(text, ",")
}
