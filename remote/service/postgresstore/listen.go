package postgresstore

import (
	"context"
	"paperfs/remote/clock"
	"time"

	"github.com/jackc/pgx/v5"
)

// listenPause is the pause between attempts to listen.
const listenPause = time.Second

// Listen calls wake when there may be work, until ctx ends. Notifications are lost while it is
// not connected, so the caller must also check from time to time.
func (s *Store) Listen(ctx context.Context, wake func()) {
	for ctx.Err() == nil {
		if err := s.listen(ctx, wake); err != nil {
			_ = clock.Sleep(ctx, listenPause)
		}
	}
}

func (s *Store) listen(ctx context.Context, wake func()) error {
	c, err := pgx.ConnectConfig(ctx, s.claiming.Config().ConnConfig)
	if err != nil {
		return err
	}
	defer c.Close(context.WithoutCancel(ctx))
	if _, err := c.Exec(ctx, "LISTEN "+channel); err != nil {
		return err
	}
	wake() // for notifications that were missed
	for {
		heard, err := s.hear(ctx, c)
		if err != nil {
			return err
		}
		if heard {
			wake()
		}
	}
}

// hear waits for a notification. It returns false after checking that PostgreSQL still answers,
// which it does often enough that the prober never has to open a connection.
func (s *Store) hear(ctx context.Context, c *pgx.Conn) (heard bool, err error) {
	waiting, stop := context.WithTimeout(ctx, time.Duration(s.prober.quiet.Load())/2)
	_, err = c.WaitForNotification(waiting)
	stop()
	if err == nil || ctx.Err() != nil || waiting.Err() == nil || c.IsClosed() {
		return err == nil, err
	}
	asking, stop := context.WithTimeout(ctx, time.Duration(s.prober.quiet.Load()))
	defer stop()
	return false, c.Ping(asking)
}
