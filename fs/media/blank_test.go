package media_test

import (
	"bufio"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWhatAColleaguePutsInAnOpenFile checks a file that a program has created or emptied, if a
// colleague uploads content under its name before the program writes. Locally the file stays empty
// for every program. The write is not published: the program has not seen the colleague's content.
func TestWhatAColleaguePutsInAnOpenFile(t *testing.T) {
	t.Parallel()
	for mode, options := range modesOf(t) {
		for before, script := range map[string]string{"made": "ls", "emptied": ": > a"} {
			for reads, reader := range map[string]string{"unread": "ls", "read": "test -z \"$(cat a)\" && test ! -s a"} {
				t.Run(mode+", "+before+", "+reads, func(t *testing.T) {
					t.Parallel()
					m := newMount(t, options...)
					m.sh(script)
					m.idle()
					writer := m.command(`exec perl -e 'open F, ">", "media/a" or die; $| = 1; print "open\n"; <STDIN>; syswrite F, "mine\n" or die; close F and die; $!{ESTALE} or die'`)
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
					require.Equal(t, map[string]string{"a": sum("theirs is longer\n")}, m.atService())
					require.Equal(t, "theirs is longer", m.sh("cat a"))
					m.eventually(func() bool { return len(m.store.Failed()) == 1 })
					require.Equal(t, "mine\n", m.content(m.store.Failed()[0].Name))
				})
			}
		}
	}
}

// TestAnOpenFileThatItsProgramDoesNotWrite checks that the file has the colleague's content once it is
// closed. Until then, other local programs see an empty file, and what they write replaces nothing.
func TestAnOpenFileThatItsProgramDoesNotWrite(t *testing.T) {
	t.Parallel()
	for mode, options := range modesOf(t) {
		for other, script := range map[string]string{
			"nobody":    `ls`,
			"appends":   `perl -e 'open F, ">>", "a" or die; syswrite F, "line\n"; close F and die; $!{ESTALE} or die'`,
			"overlays":  `printf X | dd of=a bs=1 seek=2 conv=notrunc status=none 2>&1 | grep -q Stale`,
			"removes":   `rm a 2>&1 | grep -q busy`,
			"truncates": `truncate -s 0 a; ls -l a`,
		} {
			t.Run(mode+", "+other, func(t *testing.T) {
				t.Parallel()
				m := newMount(t, options...)
				m.sh("ls")
				holder := m.command(`exec perl -e 'open F, ">>", "media/a" or die; $| = 1; print "open\n"; <STDIN>; close F'`) // ESTALE if another program has written that inode
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
				m.sh(script)
				_, err = in.Write([]byte("go\n"))
				require.NoError(t, err)
				require.NoError(t, holder.Wait())
				m.idle()
				require.Equal(t, map[string]string{"a": sum("theirs is longer\n")}, m.atService())
				m.eventually(func() bool { return m.sh("cat a") == "theirs is longer" })
			})
		}
	}
}
