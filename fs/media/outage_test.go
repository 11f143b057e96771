package media_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media"
	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"
)

// TestAnOpenAfterAnOutageGetsTheNewVersion checks that a program that opens a file as soon as the service is back, which
// others have replaced meanwhile by one of another size, reads the new version.
func TestAnOpenAfterAnOutageGetsTheNewVersion(t *testing.T) {
	t.Parallel()
	for name, reads := range map[string]string{"never read": `true`, "its end was read": `tail -c 10 f`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := servicetest.Start(t)
			colleague, err := remote.New(remote.Options{BaseURL: service.URL, Username: service.Username, Password: service.Password})
			require.NoError(t, err)
			t.Cleanup(colleague.Close)
			m := newMountOn(t, service, func(o *media.Options) { o.TTL, o.StrictTTL = 1<<62, 1<<62 })
			_, err = colleague.UploadFile(t.Context(), 0, "f", bytesContent(strings.Repeat("old", 1<<20)))
			require.NoError(t, err)
			require.NoError(t, m.store.Refresh(t.Context()))
			m.sh(reads)
			m.proxy.Down()
			_, err = m.client.GetTree(remote.Once(t.Context())) // the client knows now that it is away
			require.Error(t, err)
			_, err = colleague.UploadFile(t.Context(), 0, "f", bytesContent("new"))
			require.NoError(t, err)
			m.proxy.Up()
			require.Equal(t, "new", m.sh(`head -c 100 f`))
			require.Empty(t, m.failures.Events())
		})
	}
}
