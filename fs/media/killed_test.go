package media_test

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// fifo is the start of a script that has a fifo open as descriptor 9.
const fifo = `mkfifo ../p; exec 9<> ../p; `

// half waits until a contains "half".
const half = `until test -s a && test "$(cat a)" = half; do sleep .01; done; `

// waits waits until the last background program sleeps. When timeout sleeps, its child runs, and
// timeout can end it.
const waits = `until grep -q '^State:.S' /proc/$!/status; do sleep .01; done; `

func TestKilledWritersPublishNothing(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"cp":               fifo + `cp ../p a & echo half >&9; ` + half + `kill -TERM $!; wait $!; true`,
		"cp -9":            fifo + `cp ../p a & echo half >&9; ` + half + `kill -KILL $!; wait $!; true`,
		"dd":               fifo + `dd if=../p of=a bs=5 status=none & echo half >&9; ` + half + `kill -TERM $!; wait $!; true`,
		"redirection":      fifo + `cat ../p > a & echo half >&9; ` + half + `kill -HUP $!; wait $!; true`,
		"a child inherits": fifo + `bash -c '{ echo half; sh -c "read x" < ../p; :; } > a' 2> /dev/null & shell=$!; ` + half + `kill -KILL $shell; wait $shell; echo >&9`,
		"a shell whose command continues": fifo + `bash -c '{ /bin/echo half; sh -c "echo > ../ready; read x; echo more" < ../p; :; } > a' 2> /dev/null & shell=$!; ` + half + `until test -e ../ready; do sleep .01; done
kill -KILL $shell; wait $shell; echo >&9`,
		"a shell, before its command writes": fifo + `bash -c '{ sh -c "echo > ../ready; read x; echo half" < ../p; :; } >> a' 2> /dev/null & shell=$!; until test -e ../ready; do sleep .01; done
kill -KILL $shell; wait $shell; echo >&9`,
		"abort": `python3 -c 'import os; f = open("a", "wb", 0); f.write(b"half"); os.abort()'; true`,
		"threads": `python3 -c 'import os, signal, threading, time
f = open("a", "wb", 0); f.write(b"half")
for _ in range(4): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
os.kill(os.getpid(), signal.SIGKILL)'; true`,
		"nothing written yet": `python3 -c 'import os, signal; f = open("a", "wb", 0); os.kill(os.getpid(), signal.SIGTERM)'; true`,
		"a child and the opener are killed": `python3 -c 'import os, signal
f = open("a", "wb", 0); f.write(b"half")
if os.fork() == 0: os.kill(os.getpid(), signal.SIGKILL)
os.wait(); os.kill(os.getpid(), signal.SIGKILL)'; true`,
	} {
		for kind, before := range map[string]string{"new": `ls`, "over a file": `echo old > a`} {
			if !testrun.OneWay(name, kind == "new") {
				continue
			}
			t.Run(name+" "+kind, func(t *testing.T) {
				t.Parallel()
				m := newMount(t)
				m.sh(before)
				m.idle()
				m.proxy.Reset()
				m.sh(script)
				m.eventually(func() bool { return len(m.store.Failed()) == 1 || m.proxy.Count(nil) > 0 })
				m.settled()
				require.Zero(t, m.proxy.Count(nil), "nothing is sent")
				entry := m.store.Failed()[0]
				assert.Equal(t, "a", entry.Path)
				assert.Contains(t, entry.Reason, "was killed before it had written the whole file")
				assert.False(t, entry.Since.IsZero())
				if kind == "new" {
					m.fails(`test -e a`)
					return
				}
				assert.Equal(t, "old", m.sh(`cat a`))
				assert.Equal(t, map[string]string{"a": sum("old\n")}, m.atService())
			})
		}
	}
}

func TestWhatEndsNormallyIsPublished(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"go": goExit + `=1 ` + os.Args[0] + ` -test.run=^TestGoExit$`,
		"python with threads": `python3 -c 'import os, threading, time
f = open("a", "wb", 0); f.write(b"whole")
for _ in range(4): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
os._exit(1)'; true`,
		"a failing exit":        `python3 -c 'import os; f = open("a", "wb", 0); f.write(b"whole"); os._exit(137)'; true`,
		"an exec that closes":   `python3 -c 'import os; f = os.open("a", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC); os.write(f, b"whole"); os.execlp("true", "true")'`,
		"a child's exec":        `python3 -c 'import os, subprocess; f = os.open("a", os.O_RDWR | os.O_CREAT); os.write(f, b"whole"); subprocess.run(["ps"], stdout=subprocess.DEVNULL); os.close(f)'`,
		"an exec that inherits": `python3 -c 'import os; f = os.open("a", os.O_RDWR | os.O_CREAT); os.set_inheritable(f, True); os.write(f, b"whole"); os.execlp("true", "true")'`,
		"a killed child": `python3 -c 'import os, signal
f = os.open("a", os.O_RDWR | os.O_CREAT); os.write(f, b"whole")
if os.fork() == 0: os.kill(os.getpid(), signal.SIGKILL)
os.wait(); os.close(f)'`,
		"a reader is killed": `python3 -c 'import os, signal
f = os.open("a", os.O_RDWR | os.O_CREAT); os.write(f, b"whole")
if os.fork() == 0: os.close(f); g = open("a"); g.read(); os.kill(os.getpid(), signal.SIGKILL)
os.wait(); os.close(f)'`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMount(t)
			m.sh(`ls`)
			m.sh(script)
			require.Equal(t, map[string]string{"a": sum("whole")}, m.atService())
			require.Empty(t, m.store.Failed())
		})
	}
}

// goExit is the variable that makes TestGoExit the program that exits.
const goExit = "MEDIA_TEST_EXIT"

// TestGoExit calls os.Exit with a file open, which makes the kernel kill the other threads.
func TestGoExit(t *testing.T) {
	if os.Getenv(goExit) == "" {
		t.Skip("a program of TestWhatEndsNormallyIsPublished")
	}
	f, err := os.Create("a")
	require.NoError(t, err)
	for range 4 {
		go syscall.Nanosleep(&syscall.Timespec{Sec: 60}, nil) // each in its own thread
	}
	_, err = f.WriteString("whole")
	require.NoError(t, err)
	os.Exit(0)
}

func TestKilledIsTold(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`python3 -c 'import os; f = open("a", "wb", 0); f.write(b"half"); os.abort()'; true`)
	m.eventually(func() bool { return len(m.store.Failed()) == 1 })
	last, ok := m.failures.Last("media/a")
	require.True(t, ok)
	require.True(t, strings.Contains(last.Message, "python3 was killed"), last.Message)
}
