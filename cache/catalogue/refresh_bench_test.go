package catalogue_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/catalogue"
	"paperfs/remote"
	"paperfs/remote/service/kit/generate"
	"paperfs/remote/service/kit/servicetest"
)

// BenchmarkUnchangedRefresh refreshes an unchanged tree of 100,000 papers, including the
// service's part.
func BenchmarkUnchangedRefresh(b *testing.B) {
	f := servicetest.Start(b)
	f.Generate(generate.Spec{Papers: 100_000, Categories: 1000, Depth: 4, Seed: 1})
	client, err := remote.New(remote.Options{BaseURL: f.URL, Username: f.Username, Password: f.Password})
	require.NoError(b, err)
	b.Cleanup(client.Close)
	c, err := catalogue.New(catalogue.Options{Service: client})
	require.NoError(b, err)
	b.Cleanup(c.Close)
	require.NoError(b, c.Connect(b.Context()))
	require.NoError(b, c.Refresh(b.Context()))
	before := client.Stats().BytesReceived
	for b.Loop() {
		require.NoError(b, c.Refresh(b.Context()))
	}
	b.ReportMetric(float64(client.Stats().BytesReceived-before)/float64(b.N), "bytes/op")
}
