package xmldoc

import (
	"time"

	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
)

// Days writes each day of a period, also those on which nothing was counted.
func Days(x *answer.Writer, list, attr string, from, to store.Day, found []store.DayHits, count func(store.DayHits) int64) {
	x.Open(list)
	for at := from; at <= to; at++ {
		var n int64
		if len(found) > 0 && found[0].Day == at {
			n, found = count(found[0]), found[1:]
		}
		x.Empty("day", answer.String("date", at.Start().Format(time.DateOnly)), answer.Int(attr, n))
	}
	x.Close(list)
}
