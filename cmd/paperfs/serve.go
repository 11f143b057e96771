package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/url"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/config"
	"paperfs/remote/service"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/host"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"
)

func newServeCommand() *cobra.Command {
	c := config.NewServe()
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the service alone, for programs that speak HTTP",
		Long: `The first start makes the tenant "default" with the account APIKey. Its address and key are in client.env in the data directory,
ready for a shell:

    set -a; . DIR/client.env; set +a; paperfs mount MOUNTPOINT

^C and SIGTERM end it once the requests under way are finished (see paperfs help service); a second one ends it at once. SIGHUP
makes it read the certificate again.`,
		Example: `paperfs serve --data /srv/paperfs
paperfs serve --data /srv/paperfs --listen :443 --tls-cert cert --tls-key key`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkPlace(c, cmd.Flags()); err != nil {
				return err
			}
			return serve(c)
		},
	}
	cli.GroupFlags(cmd, c.Flags...)
	return cmd
}

func serve(c *config.Serve) error {
	// PDF workers must not inherit descriptors that the parent left open.
	_ = unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC)
	options, err := serviceOptions(c)
	if err != nil {
		return err
	}
	certificate, err := certificateOf(c)
	if err != nil {
		return err
	}
	signal.Ignore(syscall.SIGPIPE)                                // a closed log pipe must not end the process
	defer onHangup(func() { reload(certificate, options.Log) })() // nor a renewed certificate, at any moment from now on
	l, err := host.Listen(c.Listen)
	if err != nil {
		return listenError(c.Listen, err)
	}
	defer l.Close()
	operator, err := listenOperator(c)
	if err != nil {
		return err
	}
	if operator != nil {
		defer operator.Close()
	}
	_, known := os.Stat(filepath.Join(c.Data, datadir.ClientEnvFile))
	s, err := open(c, options)
	if err != nil {
		return err
	}
	if operator != nil {
		defer host.ServeOperator(operator, s.Operator())()
	}
	url := host.URL(c.Listen, l.Addr(), certificate != nil, c.BasePath)
	if c.Database == "" { // otherwise the address is that of the load balancer
		if err := s.WriteClientEnv(url, c.RPM); err != nil {
			return errors.Join(err, s.Close())
		}
	}
	// Other programs wait for this line before they connect, or end the service.
	serving := fmt.Sprintf("serving %s at %s", placeWords(c), url)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	say(c, serving)                                           // SIGINT and SIGTERM are handled from now on
	if c.Database == "" && errors.Is(known, os.ErrNotExist) { // this is the first start
		say(c, "readers see the host of their address as the publisher's name; to say your own, mount this service and write it to papers/.category/settings/publisher")
	}
	cli.NotifyManager(cli.ManagerReady, cli.ManagerStatus(serving))
	told := make(chan struct{})
	untold := context.AfterFunc(ctx, func() {
		cli.NotifyManager(cli.ManagerStopping, cli.ManagerStatus("finishing the requests under way"))
		close(told)
		s.Drain()
	})
	err = host.Serve(ctx, host.Until(secondSignal(ctx), s.Drained()), host.Bounded(l, c.AddressConnections, options.TrustedProxies...), s, certificate, options.Log)
	if !untold() {
		<-told
	}
	return errors.Join(err, s.Close())
}

// certificateOf returns the certificate for HTTPS, nil for HTTP.
func certificateOf(c *config.Serve) (*host.Certificate, error) {
	if (c.TLSCert == "") != (c.TLSKey == "") {
		return nil, &cli.UsageError{Err: errors.New("give both --tls-cert and --tls-key, or neither")}
	}
	return host.LoadCertificate(c.TLSCert, c.TLSKey)
}

// listenError adds what to do if the service cannot listen on an address.
func listenError(address string, err error) error {
	_, port, _ := net.SplitHostPort(address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		err = fmt.Errorf("another program listens there. Run: ss -ltnp 'sport = :%s' to see which, or choose another port: %w", port, err)
	case errors.Is(err, syscall.EACCES):
		err = fmt.Errorf("you may not use that port. Choose one of 1024 or more: %w", err)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		err = fmt.Errorf("this machine does not have that address. Run: ip address, or give the port alone (:%s): %w", port, err)
	}
	return cli.ListenError("--listen", address, err)
}

// listenOperator returns nil if no address is given.
func listenOperator(c *config.Serve) (net.Listener, error) {
	if c.AdminListen == "" {
		return nil, nil
	}
	l, err := host.ListenOperator(c.AdminListen)
	if err != nil {
		return nil, cli.ListenError("--admin-listen", c.AdminListen, err)
	}
	say(c, fmt.Sprintf("/healthz, /readyz and /metrics at %s", l.Addr()))
	return l, nil
}

// onHangup runs f at each SIGHUP until stop is called.
func onHangup(f func()) (stop func()) {
	hangups, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(hangups, syscall.SIGHUP)
	go func() {
		for {
			select {
			case <-hangups:
				f()
			case <-done:
				return
			}
		}
	}()
	return func() {
		signal.Stop(hangups)
		close(done)
	}
}

// reload reads the certificate again, if there is one.
func reload(certificate *host.Certificate, log *slog.Logger) {
	if certificate == nil {
		return
	}
	if err := certificate.Reload(); err != nil {
		log.Error("the old certificate stays in use", "error", err)
		return
	}
	log.Info("the certificate was read again")
}

// secondSignal returns a context that ends with the first signal after first has ended.
func secondSignal(first context.Context) context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 1)
	context.AfterFunc(first, func() {
		signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
		<-signals
		cancel()
	})
	return ctx
}

// serviceOptions converts flags to options of the service.
func serviceOptions(c *config.Serve) (service.Options, error) {
	o := service.Options{
		Data:    c.Data,
		RawTree: c.TreeForm == "raw", Namespace: c.Namespace, DigitImageTypes: c.ImageTypes == "digits",
		CDATA:       map[string]answer.CDATAStyle{"tight": answer.Tight, "padded": answer.Padded, "none": answer.None}[c.CDATA],
		StrictCodes: c.StrictCodes, NoExtended: c.NoExtended, SearchOutage: c.SearchOutage,
		ManageHosts: c.ManageHosts, BasePath: c.BasePath, BodyLimit: c.BodyLimit, PDFLimit: c.PDFLimit, PDFQueue: c.PDFQueue, RPM: c.RPM,
		AddressRequests: c.AddressRequests, AddressOrders: c.AddressOrders, TrashDays: c.TrashDays, PDFJobs: c.Jobs,
	}
	if c.Jobs == 0 {
		o.PDFJobs = -1
	}
	err := c.CheckValues()
	if err != nil {
		return o, err
	}
	if o.Log, err = c.Logger(); err != nil {
		return o, err
	}
	if err = checkBasePath(c.BasePath); err != nil {
		return o, err
	}
	for i, name := range c.ManageHosts {
		if o.ManageHosts[i] = address.Host(name); !address.PossibleHost(name) || o.ManageHosts[i] != strings.ToLower(name) {
			return o, &cli.UsageError{Err: fmt.Errorf("--manage-host %q: give a host name without a port, such as manage.example.com", name)}
		}
	}
	if o.TrustedProxies, err = prefixes(c.Proxies); err != nil {
		return o, err
	}
	if c.Clock != "" {
		now, err := time.Parse(time.RFC3339, c.Clock)
		if err != nil {
			return o, &cli.UsageError{Err: fmt.Errorf("--clock %q: give a time like 2027-01-31T12:00:00Z", c.Clock)}
		}
		o.Now = func() time.Time { return now }
	}
	return o, nil
}

// checkBasePath refuses a path that clients would send in another form.
func checkBasePath(base string) error {
	base = "/" + strings.Trim(base, "/")
	if u, err := url.Parse(base); err != nil || u.Path != base {
		return &cli.UsageError{Err: fmt.Errorf("--base-path %q: give a path without escapes, a query and a fragment, such as /papers", base)}
	}
	if clean := path.Clean(base); clean != base {
		return &cli.UsageError{Err: fmt.Errorf("--base-path %q: clients shorten it; give %s", base, clean)}
	}
	return nil
}
