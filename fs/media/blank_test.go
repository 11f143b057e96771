package media_test

import (
	"bufio"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWhatAColleaguePutsInAnOpenFile: a program has made a file, or emptied an
// empty one, and a colleague uploads content under its name before the program
// writes. What the program then writes is all of its file.
func TestWhatAColleaguePutsInAnOpenFile(t *testing.T) {
	for mode, options := range modes {
		for before, script := range map[string]string{"made": "ls", "emptied": ": > a"} {
			for reads, reader := range map[string]string{"unread": "ls", "read": "cat a"} {
				t.Run(mode+", "+before+", "+reads, func(t *testing.T) {
					t.Parallel()
					m := newMount(t, options...)
					m.sh(script)
					m.idle()
					writer := m.command(`exec perl -e 'open F, ">", "media/a" or die; $| = 1; print "open\n"; <STDIN>; syswrite F, "mine\n" or die; close F or die'`)
					in, err := writer.StdinPipe()
					require.NoError(t, err)
					out, err := writer.StdoutPipe()
					require.NoError(t, err)
					require.NoError(t, writer.Start())
					_, err = bufio.NewReader(out).ReadString('\n')
					require.NoError(t, err)
					_, err = m.client.UploadFile(t.Context(), 0, "a", bytesContent("theirs is longer\n"))
					require.NoError(t, err)
					require.NoError(t, m.store.Refresh(t.Context()))
					m.sh(reader)
					_, err = in.Write([]byte("go\n"))
					require.NoError(t, err)
					require.NoError(t, writer.Wait())
					m.idle()
					require.Equal(t, map[string]string{"a": sum("mine\n")}, m.atService())
					m.eventually(func() bool { return m.sh("cat a") == "mine" })
				})
			}
		}
	}
}
