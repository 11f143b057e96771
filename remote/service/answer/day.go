package answer

import (
	"time"

	"paperfs/remote/service/store"
)

// Days writes each day of a period, also those on which nothing was counted.
func Days(w *Writer, list, attr string, from, to store.Day, found []store.DayHits, count func(store.DayHits) int64) {
	w.Open(list)
	for at := from; at <= to; at++ {
		var n int64
		if len(found) > 0 && found[0].Day == at {
			n, found = count(found[0]), found[1:]
		}
		w.Empty("day", String("date", at.Start().Format(time.DateOnly)), Int(attr, n))
	}
	w.Close(list)
}
