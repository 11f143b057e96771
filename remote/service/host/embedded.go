package host

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"os"

	"paperfs/remote/service"
	"paperfs/remote/service/datadir"
)

// Embedded is a service on loopback for a mount in the same process.
type Embedded struct {
	URL, Username, Password string

	service *service.Service
	within  *inProcess
	stop    context.CancelFunc
	hurry   context.CancelFunc
	ended   chan error
}

// StartEmbedded opens the data directory, creating it if necessary, and serves it on the port
// saved in it. Only processes of the given users of this machine may connect; nil allows all.
func StartEmbedded(data string, log *slog.Logger, users []uint32) (*Embedded, error) {
	s, err := service.Open(service.Options{Data: data, Log: log, LoopbackOnly: true})
	if err != nil {
		return nil, err
	}
	e, err := start(s, data, log, users)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return e, nil
}

func start(s *service.Service, data string, log *slog.Logger, users []uint32) (*Embedded, error) {
	l, err := listenLoopback(data)
	if err != nil {
		return nil, err
	}
	if users != nil {
		l = &forUsers{l, users, log}
	}
	url := "http://" + l.Addr().String()
	if err := s.WriteClientEnv(url, 0); err != nil {
		l.Close()
		return nil, err
	}
	env, err := datadir.ReadClientEnv(data)
	if err != nil {
		l.Close()
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	hurry, hurried := context.WithCancel(context.Background())
	e := &Embedded{
		URL: url, Username: env.Username, Password: env.Password,
		service: s, within: newInProcess(l.Addr()), stop: stop, hurry: hurried, ended: make(chan error, 2),
	}
	go func() { e.ended <- Serve(ctx, Until(hurry, s.Drained()), l, s, nil, log) }()
	go func() { e.ended <- Serve(ctx, Until(hurry, s.Drained()), e.within, e.within.toService(s), nil, log) }()
	return e, nil
}

// Transport sends calls of this process directly to the service, with the same result as at URL.
// Once the service is closed, it fails like a closed port.
func (e *Embedded) Transport() http.RoundTripper { return e.within }

// MediaFile is Service.MediaFile for the tenant of URL.
func (e *Embedded) MediaFile(id int64, sha256 [32]byte) (*os.File, error) {
	return e.service.MediaFile(context.Background(), e.within.addr.String(), id, sha256)
}

// PDFFile is Service.PDFFile for the tenant of URL.
func (e *Embedded) PDFFile(paper int64) (f *os.File, sha256 string, err error) {
	return e.service.PDFFile(context.Background(), e.within.addr.String(), paper)
}

// KeepsDeleted is Service.KeepsDeleted for the tenant of URL.
func (e *Embedded) KeepsDeleted() (days int64, err error) {
	return e.service.KeepsDeleted(context.Background(), e.within.addr.String())
}

// Kept returns what the service keeps of what was replaced and deleted.
func (e *Embedded) Kept() service.Kept { return service.Kept{Service: e.service} }

// Close finishes the running requests and closes the service.
func (e *Embedded) Close() error {
	e.stop()
	e.service.Drain()
	err := errors.Join(<-e.ended, <-e.ended)
	e.hurry()
	return errors.Join(err, e.service.Close())
}
