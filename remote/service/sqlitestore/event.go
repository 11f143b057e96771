package sqlitestore

import "context"

// mostRuns is how many runs are known; the marks of earlier ones are lost.
const mostRuns = 1000

// beginRun enters this process as one that writes, with its first change. Nothing else tells a file that was restored,
// or copied by hand, from the one that was there before.
func (s *Store) beginRun(ctx context.Context, c *conn) error {
	if _, err := c.ExecContext(ctx, `INSERT OR IGNORE INTO run (id, first) SELECT ?, coalesce(max(number), 0) + 1 FROM event`, s.run); err != nil {
		return err
	}
	_, err := c.ExecContext(ctx, `DELETE FROM run WHERE number <= (SELECT max(number) FROM run) - ?`, mostRuns)
	return err
}

// Epoch implements store.EventReader: it is the newest run. A mark survives a start and a crash, because the log does.
func (t *tx) Epoch() (epoch string, err error) {
	err = t.Row(`SELECT id FROM run ORDER BY number DESC LIMIT 1`, nil, &epoch)
	return epoch, err
}

// HasEvent implements store.EventReader.
func (t *tx) HasEvent(tenant int64, epoch string, number int64) (has bool, err error) {
	err = t.Row(`SELECT EXISTS (SELECT 1 FROM event e JOIN run r ON r.id = $1 WHERE e.tenant = $2 AND e.number = $3
		AND NOT EXISTS (SELECT 1 FROM run later WHERE later.number > r.number AND later.first <= e.number))`, []any{epoch, tenant, number}, &has)
	return has, err
}
