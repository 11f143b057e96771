package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"paperfs/cmd/paperfs/cli"
)

// healthLimit bounds the wait for an answer.
const healthLimit = 5 * time.Second

// newHealthCommand is for monitors that have no HTTP client: a container image of paperfs contains nothing
// else.
func newHealthCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "health ADDRESS",
		Short: "Check whether a service is healthy",
		Long: `ADDRESS is the --admin-listen address or socket of a service. The exit code is 0 if the service
reports within 5 seconds that it is healthy.`,
		Example: `paperfs health 127.0.0.1:8081
paperfs health /run/paperfs/admin.sock`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return askHealth(cmd.Context(), args[0]) },
	}
}

func askHealth(ctx context.Context, address string) error {
	if strings.Contains(address, "://") {
		return &cli.UsageError{Err: fmt.Errorf("%s is a URL: name HOST:PORT, or a socket", address)}
	}
	network := "tcp"
	if strings.Contains(address, "/") {
		network = "unix"
	}
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, address)
	}
	client := &http.Client{Timeout: healthLimit, Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://localhost/healthz", nil)
	if err != nil {
		return err
	}
	reply, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("%s does not answer: %w", address, err)
	}
	reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", address, reply.Status)
	}
	return nil
}
