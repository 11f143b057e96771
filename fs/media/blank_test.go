package media_test

import (
	"bufio"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWhatAColleaguePutsInAnOpenFile checks a file that a program has created or emptied, if a
// colleague uploads content under its name before the program writes. Locally the file stays empty
// for every program until that write, and then has only the written content.
func TestWhatAColleaguePutsInAnOpenFile(t *testing.T) {
	t.Parallel()
	for mode, options := range modes {
		for before, script := range map[string]string{"made": "ls", "emptied": ": > a"} {
			for reads, reader := range map[string]string{"unread": "ls", "read": "test -z \"$(cat a)\" && test ! -s a"} {
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

// TestAnOpenFileThatNobodyWrites checks that the file has the colleague's content once it is closed.
// Until then, other local programs see and edit an empty file.
func TestAnOpenFileThatNobodyWrites(t *testing.T) {
	t.Parallel()
	for mode, options := range modes {
		for other, c := range map[string]struct{ script, want string }{
			"nobody":    {"ls", "theirs is longer\n"},
			"appends":   {"echo line >> a", "line\n"},
			"overlays":  {"printf X | dd of=a bs=1 seek=2 conv=notrunc status=none", "\x00\x00X"},
			"removes":   {"rm a 2> ../err; grep -q 'busy' ../err", "theirs is longer\n"},
			"truncates": {"truncate -s 0 a; ls -l a", "theirs is longer\n"},
		} {
			t.Run(mode+", "+other, func(t *testing.T) {
				t.Parallel()
				m := newMount(t, options...)
				m.sh("ls")
				holder := m.command(`exec perl -e 'open F, ">>", "media/a" or die; $| = 1; print "open\n"; <STDIN>; close F or die'`)
				in, err := holder.StdinPipe()
				require.NoError(t, err)
				out, err := holder.StdoutPipe()
				require.NoError(t, err)
				require.NoError(t, holder.Start())
				_, err = bufio.NewReader(out).ReadString('\n')
				require.NoError(t, err)
				_, err = m.client.UploadFile(t.Context(), 0, "a", bytesContent("theirs is longer\n"))
				require.NoError(t, err)
				require.NoError(t, m.store.Refresh(t.Context()))
				require.Empty(t, m.sh("cat a"))
				m.sh(c.script)
				_, err = in.Write([]byte("go\n"))
				require.NoError(t, err)
				require.NoError(t, holder.Wait())
				m.idle()
				require.Equal(t, map[string]string{"a": sum(c.want)}, m.atService())
				m.eventually(func() bool { return m.sh("sha256sum < a")[:64] == sum(c.want) })
			})
		}
	}
}
