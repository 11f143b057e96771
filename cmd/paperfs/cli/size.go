package cli

import (
	"math"
	"strings"

	"github.com/dustin/go-humanize"
)

// Size parses a number of bytes such as 10GiB. It refuses a comma, which humanize ignores:
// 1,5GiB would be 15GiB.
func Size(text string) (int64, bool) {
	bytes, err := humanize.ParseBytes(text)
	return int64(bytes), err == nil && bytes <= math.MaxInt64 && !strings.Contains(text, ",")
}
