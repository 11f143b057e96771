package media_test

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"github.com/stretchr/testify/require"
)

// running is a gesture that has started.
type running struct {
	gesture
	program *exec.Cmd
	input   io.WriteCloser
	said    *lines
	ended   chan struct{}
	over    int // when it ended
	err     error
	acts    map[string]*act
}

// lines collects a program's output, and closes ready when the program has printed "ready".
type lines struct {
	mu    sync.Mutex
	said  strings.Builder
	ready chan struct{}
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.said.Write(p)
	if strings.Contains(string(p), "ready") {
		close(l.ready)
	}
	return len(p), nil
}

// start starts a random gesture.
func (b *colleagueMount) start() *running {
	b.t.Helper()
	content, file := b.content("ours")
	require.NoError(b.t, os.WriteFile(filepath.Join(b.home, file), []byte(content), 0o600))
	g := &running{gesture: anyGesture(b.random, content, file), said: &lines{ready: make(chan struct{})}, ended: make(chan struct{}), acts: map[string]*act{}}
	b.note("begins: %s (%.8s)", g.script, sum(content))
	b.begin(g)
	g.program = b.command("cd media && { " + pause + g.script + "\n}")
	g.program.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // its own process group, so that signals reach all of it
	g.program.Stdout, g.program.Stderr = g.said, g.said
	var err error
	g.input, err = g.program.StdinPipe()
	require.NoError(b.t, err)
	require.NoError(b.t, g.program.Start())
	b.t.Cleanup(func() { _ = syscall.Kill(-g.program.Process.Pid, syscall.SIGKILL) })
	go func() {
		g.err = g.program.Wait()
		g.over = b.history.tick()
		close(g.ended)
	}()
	return g
}

// begin records what a gesture is about to do.
func (b *colleagueMount) begin(g *running) {
	act := func(path string, may ...string) {
		g.acts[path] = b.history.add(path, &act{who: g.script, byUser: true, may: may, began: b.history.tick(), ended: never, settled: never})
	}
	for path, digest := range g.writes {
		act(path, digest)
	}
	for _, path := range g.goes {
		unseen, ok := b.history.unseen(path, int(b.trees.last.Load()))
		switch {
		case g.sweeps || !ok || b.trees.reading.Load() > 0:
			act(path, "")
		case g.moves[0] == path, b.history.contested(path), !b.quiet(): // the rename may also move a file that it finds on the way, and an upload under way may have the tree read
			act(path, "", unseen)
		default:
			act(path, unseen)
		}
	}
	if to := g.moves[1]; to != "" {
		act(to)
	}
}

// end waits for a gesture and records its outcome.
func (b *colleagueMount) end(g *running) {
	b.t.Helper()
	<-g.ended
	b.note("ended, %v: %s\n%s", g.err, g.script, g.said.said.String())
	if from := g.moves[0]; from != "" {
		for _, c := range b.history.ever(from) {
			if c != "" {
				g.acts[g.moves[1]].may = append(g.acts[g.moves[1]].may, c)
			}
		}
		if g.err != nil {
			g.acts[g.moves[1]].may = append(g.acts[g.moves[1]].may, b.history.ever(g.moves[1])...)
		}
	}
	for _, a := range g.acts {
		a.ended, a.acked = g.over, g.err == nil
	}
}

// goOn lets a paused gesture continue.
func (g *running) goOn() { _, _ = io.WriteString(g.input, "\n\n") }
