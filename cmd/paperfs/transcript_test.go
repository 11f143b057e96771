package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/programtest"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// These tests play the transcripts of the documents: each command runs in a shell, on a real mount
// of a real service, and must print what the document shows.

// transcripts are the headings of the transcripts in the documents. TestEachTranscriptIsPlayed
// finds missing ones.
var transcripts = map[string]string{
	readmeFile:          "## The first five minutes",
	"topic/service.md":  "# Run a service",
	"topic/failures.md": "# When something fails",
}

// step is a command of a transcript with its output.
type step struct{ command, prints string }

// transcript returns the steps of a document.
func transcript(t *testing.T, file string) []step {
	heading := transcripts[file]
	text := testrun.Must(os.ReadFile(file))(t)
	_, below, found := strings.Cut("\n"+string(text), "\n"+heading+"\n")
	require.True(t, found, "%s has no %q", file, heading)
	below, _, _ = strings.Cut(below, "\n## ")
	var steps []step
	for line := range strings.Lines(below) {
		line, shown := strings.CutPrefix(line, "    ")
		if !shown {
			continue
		}
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			steps = append(steps, step{command: strings.TrimSpace(command)})
		} else if len(steps) > 0 {
			steps[len(steps)-1].prints += line
		}
	}
	require.NotEmpty(t, steps)
	return steps
}

// shell is a shell that plays a transcript.
type shell struct {
	*process
	e  *environment
	in io.Writer
}

// newShell starts bash with the program in its PATH.
func (e *environment) newShell() *shell {
	e.t.Helper()
	for _, tool := range []string{"bash", "curl", "rsync"} {
		testrun.Program(e.t, tool)
	}
	e.set("PATH", filepath.Dir(e.program)+":"+os.Getenv("PATH"))
	cmd := programtest.Command(e.t, 0, "bash", "--norc", "--noprofile")
	in := testrun.Must(cmd.StdinPipe())(e.t)
	s := &shell{process: e.launch(cmd), e: e, in: in}
	s.run("exec 2>&1")
	return s
}

const done = "\n@done@\n"

// run runs a command until it ends, and returns its output.
func (s *shell) run(command string) string {
	s.t.Helper()
	before := len(s.stdout.String())
	testrun.Must(io.WriteString(s.in, command+"\nprintf '\\n@done@\\n'\n"))(s.t)
	s.until("run "+command, func() bool { return strings.HasSuffix(s.stdout.String()[before:], done) })
	return strings.TrimSuffix(s.stdout.String()[before:], done)
}

// until waits for a condition on the shell's output.
func (s *shell) until(what string, holds func() bool) {
	s.t.Helper()
	limit := time.After(testrun.Patience())
	for {
		more := s.stdout.more()
		if holds() {
			return
		}
		select {
		case <-more:
		case <-s.ended:
			s.t.Fatalf("the shell ended before it could %s:\n%s", what, s.stdout)
		case <-limit:
			s.t.Fatalf("the shell does not %s:\n%s", what, s.stdout)
		}
	}
}

// serves runs a command that a person leaves running in another terminal, and returns the first line that it prints. Nothing comes
// before: a log line there looks like a failure.
func (s *shell) serves(command string) string {
	s.t.Helper()
	s.e.detachLater()
	file := filepath.Join(s.t.TempDir(), "terminal")
	s.run(command + " > " + file + " 2>&1 &")
	var text []byte
	require.Eventually(s.t, func() bool {
		text, _ = os.ReadFile(file)
		return bytes.Contains(text, []byte("\n"))
	}, testrun.Patience(), 10*time.Millisecond, "it prints nothing: %s", command)
	line, _, _ := strings.Cut(string(text), "\n")
	return line + "\n"
}

// varying matches the parts of an output that change with each run.
var varying = []struct {
	form *regexp.Regexp
	as   string
}{
	{regexp.MustCompile(`bash: line \d+: `), `bash: `}, // an interactive bash does not print this
	{regexp.MustCompile(`127\.0\.0\.1:\d+`), `127.0.0.1:PORT`},
	{regexp.MustCompile(`(?m)^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d: `), `TIME: `},
}

// comparable returns an output without its variable parts, and without its layout, which depends on the terminal.
func comparable(text string) []string {
	for _, v := range varying {
		text = v.form.ReplaceAllString(text, v.as)
	}
	return strings.Fields(text)
}

// play plays the steps; places replaces the paths in a transcript with those of the test.
func (s *shell) play(steps []step, places *strings.Replacer, back *strings.Replacer) {
	s.t.Helper()
	for _, step := range steps {
		command := places.Replace(step.command)
		var prints string
		if strings.HasPrefix(command, "paperfs serve ") || strings.HasPrefix(command, "paperfs mount ") {
			prints = s.serves(command)
		} else {
			prints = s.run(command)
		}
		require.Equal(s.t, comparable(step.prints), comparable(back.Replace(prints)), "$ %s\n%s", step.command, prints)
	}
}

func TestTheFirstFiveMinutes(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.program = plain(t)
	e.compiled(ownData)
	require.NoError(t, os.WriteFile(e.path("catalogue.pdf"), pdftest.Text("Spring is here"), 0o644))
	require.NoError(t, os.Mkdir(e.path("Pictures"), 0o755))
	for _, name := range []string{"a.jpg", "b.jpg"} {
		require.NoError(t, os.WriteFile(e.path("Pictures", name), []byte(name), 0o644))
	}
	e.mount()
	s := e.newShell()
	same := strings.NewReplacer()
	s.play(transcript(t, readmeFile), same, same)
	require.Equal(t, "a.jpg b.jpg", strings.Join(strings.Fields(s.run("ls media/pictures")), " "))
	s.run("cd")
	e.succeed("umount", e.path("ipaper"))
}

func TestTheServiceOfItsTopic(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	s := e.newShell()
	s.play(transcript(t, "topic/service.md"),
		strings.NewReplacer("serve --data /srv/paperfs", "serve --listen 127.0.0.1:0 --data "+e.path("data"), "/srv/paperfs", e.path("data")),
		strings.NewReplacer(e.path("data"), "/srv/paperfs", e.home, "/home/you"))
	e.succeed("umount", e.path("ipaper"))
}

// TestTheDoctorOfItsTopic checks that the topic shows the beginning of what an ordinary user sees
// without fusermount3.
func TestTheDoctorOfItsTopic(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can run a command as another user with access to /dev/fuse")
	}
	e := newEnvironment(t)
	e.asNobody()
	e.set("PATH", e.path("bin"))
	steps := transcript(t, "topic/failures.md")
	require.Equal(t, "paperfs doctor", steps[0].command)
	require.Greater(t, strings.Count(steps[0].prints, "\n"), 2)
	p := e.prepare(programtest.Command(t, 0, e.program, "doctor"))
	p.cmd.SysProcAttr.AmbientCaps = []uintptr{unix.CAP_DAC_OVERRIDE} // so that it can open /dev/fuse, whatever its mode
	p.begin()
	require.Equal(t, cli.ExitUnwell, p.wait(), p.stderr)
	shown := comparable(p.stdout.String())
	require.Equal(t, comparable(steps[0].prints), shown[:len(comparable(steps[0].prints))], p.stdout)
}

// TestEachTranscriptIsPlayed checks that no other place in a document shows a command with its
// output.
func TestEachTranscriptIsPlayed(t *testing.T) {
	t.Parallel()
	for file, text := range documents(t) {
		if commands := strings.Count(text, "\n    $ "); commands > 0 {
			require.Contains(t, transcripts, file)
			require.Len(t, transcript(t, file), commands, file)
		}
	}
}
