package media_test

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReadingAFileThatOthersDelete checks that a program that has the file open reads the old
// content if it is cached, and otherwise gets ESTALE, never an empty file. A change of a part of
// the file keeps the rest.
func TestReadingAFileThatOthersDelete(t *testing.T) {
	t.Parallel()
	const shell = `exec 3< media/d/f; echo ready; read; cat <&3 2>&1 || echo failed`
	for name, c := range map[string]struct{ program, here, gone string }{
		"read":      {`exec bash -c '` + shell + `'`, "old content", "old content"},
		"shortened": {perl(`truncate F, 3`), "Stale file handle", "Stale file handle"},
		"a part":    {perl(`syswrite F, "new"`), "Stale file handle", "Stale file handle"},
	} {
		for where, here := range map[string]bool{"here": true, "not here": false} {
			t.Run(name+", "+where, func(t *testing.T) {
				t.Parallel()
				m := newMount(t, deleting)
				m.sh(`mkdir d`)
				if here {
					m.sh(`printf 'old content' > d/f`)
				} else {
					_, err := m.client.UploadFile(t.Context(), m.ids()["d/"], "f", bytesContent("old content"))
					require.NoError(t, err)
					require.NoError(t, m.store.Refresh(t.Context()))
				}
				ids := m.ids()
				p := m.command(c.program)
				in, err := p.StdinPipe()
				require.NoError(t, err)
				out, err := p.StdoutPipe()
				require.NoError(t, err)
				require.NoError(t, p.Start())
				_, err = out.Read(make([]byte, 6))
				require.NoError(t, err)
				m.colleagueRemoves(ids, "d/")
				_, err = in.Write([]byte("\n"))
				require.NoError(t, err)
				said, err := io.ReadAll(out)
				require.NoError(t, err)
				require.NoError(t, p.Wait())
				want := c.gone
				if here {
					want = c.here
				}
				require.Equal(t, want, string(said))
				m.settled()
				left := map[string]string{"shortened": "old", "a part": "new content"}[name]
				if !here || left == "" {
					require.Empty(t, m.store.Failed())
					return
				}
				m.eventually(func() bool { return len(m.store.Failed()) == 1 })
				require.Equal(t, left, m.content(m.store.Failed()[0].Name))
			})
		}
	}
}

// perl returns a program that opens d/f for update, reports that it is ready, makes a change on
// request, and prints the error of the change or of its close.
func perl(change string) string {
	return `exec perl -e 'open F, "+<", "media/d/f" or die; $| = 1; print "ready\n"; <STDIN>; ` + change + ` and close F; print $!'`
}
