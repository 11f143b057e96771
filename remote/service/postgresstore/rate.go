package postgresstore

import (
	"context"
	"time"
)

// takeSlot takes one of an account's slots that has not been taken for a minute. It skips a slot
// that another request is taking.
const takeSlot = `
	UPDATE request_slot SET taken = clock_timestamp() WHERE account = $1 AND slot = (
		SELECT slot FROM request_slot WHERE account = $1 AND slot <= $2 AND taken <= clock_timestamp() - interval '1 minute'
		ORDER BY taken LIMIT 1 FOR UPDATE SKIP LOCKED)`

const freeSlot = `
	SELECT count(*), coalesce(extract(epoch FROM min(taken) + interval '1 minute' - clock_timestamp()), 0)::float8
	FROM request_slot WHERE account = $1 AND slot <= $2`

const addSlots = `
	INSERT INTO request_slot (account, slot, taken) SELECT id, generate_series(1, $2), 'epoch' FROM account WHERE id = $1
	ON CONFLICT DO NOTHING`

// slotAttempts is how often takeRequest looks for a slot while others take or add slots.
const slotAttempts = 5

// TakeRequest counts a request of an account that may make rpm requests per minute at all nodes
// together, or returns how long to wait instead. The limit starts afresh after a crash of
// PostgreSQL. A request whose connection ends midway may count twice.
func (s *Store) TakeRequest(ctx context.Context, account int64, rpm int) (wait time.Duration, err error) {
	err = retry(ctx, readers, func() (err error) {
		wait, err = s.takeRequest(ctx, account, rpm)
		return err
	})
	return wait, translate(ctx, err)
}

func (s *Store) takeRequest(ctx context.Context, account int64, rpm int) (wait time.Duration, err error) {
	for range slotAttempts {
		done, err := s.reading.Exec(ctx, takeSlot, account, rpm)
		if err != nil || done.RowsAffected() > 0 {
			return 0, err
		}
		var slots int
		var seconds float64 // until one is free
		if err := s.reading.QueryRow(ctx, freeSlot, account, rpm).Scan(&slots, &seconds); err != nil {
			return 0, err
		}
		wait = max(time.Millisecond, time.Duration(seconds*float64(time.Second)))
		switch {
		case slots == rpm && seconds > 0:
			return wait, nil
		case slots == rpm: // it has become free since
			continue
		}
		if _, err := s.reading.Exec(ctx, addSlots, account, rpm); err != nil {
			return 0, err
		}
	}
	return wait, nil // also for an account that was removed during the call, which will fail
}
