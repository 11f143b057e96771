package media_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWritesToAFileThatOthersDelete checks a program that has the file open and changes it after the
// mount has seen the deletion: its close fails, errors has the path, and failed/ has the content,
// even if it is empty.
func TestWritesToAFileThatOthersDelete(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ change, left string }{
		"written":              {`syswrite F, "new content"`, "new content"},
		"emptied":              {`truncate F, 0`, ""},
		"emptied, and written": {`truncate F, 0; syswrite F, "new"`, "new"},
	} {
		for mode, options := range modesOf(t) {
			t.Run(name+", "+mode, func(t *testing.T) {
				t.Parallel()
				m := newMount(t, options...)
				m.sh(`mkdir d; printf 'old content' > d/f`)
				ids := m.ids()
				writer := m.command(`exec perl -e 'open F, "+<", "media/d/f" or die; $| = 1; print "ready\n"; <STDIN>; ` + c.change + ` or die; close F and die; print $!'`)
				in, err := writer.StdinPipe()
				require.NoError(t, err)
				out, err := writer.StdoutPipe()
				require.NoError(t, err)
				require.NoError(t, writer.Start())
				_, err = out.Read(make([]byte, 6))
				require.NoError(t, err)
				m.colleagueRemoves(ids, "d/")
				_, err = in.Write([]byte("\n"))
				require.NoError(t, err)
				said := make([]byte, 100)
				n, err := out.Read(said)
				require.NoError(t, err)
				require.Equal(t, "Stale file handle", string(said[:n]))
				require.NoError(t, writer.Wait())
				m.eventually(func() bool { return len(m.store.Failed()) == 1 }) // the kernel sends the RELEASE after the close
				e := m.store.Failed()[0]
				require.Equal(t, c.left, m.content(e.Name))
				last, ok := m.failures.Last("media/" + e.Path)
				require.True(t, ok, "%v", m.failures.Events())
				require.Contains(t, last.Message, ".paperfs/failed")
				require.Empty(t, m.atService())
			})
		}
	}
}
