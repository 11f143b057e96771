package pdf

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// Processor starts workers.
type Processor struct {
	// Command starts a worker; nil = this program with WorkerArgument.
	Command []string
	// Cache is a directory for compiled code, which saves a worker a second or
	// more. Process creates it if it is missing, and works without it if it is
	// unusable (a full disk). A user who can write to it controls what workers run.
	Cache  string
	Limits Limits
}

// Process runs a worker on a PDF and passes its results to the sink. A *Failure is the
// document's fault; after any other error another attempt may succeed.
func (p *Processor) Process(ctx context.Context, job Job, file *os.File, sink Sink) error {
	limits := p.Limits.WithDefaults()
	cache := p.Cache
	if cache != "" && os.MkdirAll(cache, 0o700) != nil {
		cache = "" // perhaps the disk is full: the worker just takes longer
	}
	ended := make(chan error)
	go func() {
		// The kernel kills the child (Pdeathsig) when the thread that started it ends,
		// not only when the process does. So the thread must last until Wait returns. It
		// ends with this goroutine: without new privileges, it is of no other use.
		runtime.LockOSThread()
		_ = withoutNewPrivileges() // if it fails, the worker does it
		if job.Tile.Times > 0 {
			_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, 5) // of this thread, and so of the worker
		}
		ended <- p.process(ctx, order{job, limits, cache}, file, sink)
	}()
	return <-ended
}

// process runs a worker from the current thread.
func (p *Processor) process(caller context.Context, o order, file *os.File, sink Sink) error {
	limits := o.Limits
	ctx, cancel := context.WithCancelCause(caller)
	defer cancel(nil)
	w, err := p.start(ctx, o, file)
	if err != nil {
		return err
	}
	watch := startWatch(limits, w.cmd.Process.Pid, cancel)
	received := receive(w.out, watched{sink, watch}, watch.page, limits)
	if received != nil {
		cancel(received)
	}
	watch.end() // before Wait: then another process may have the pid
	waited := w.cmd.Wait()
	switch cause := context.Cause(ctx); {
	case received == nil:
		return nil // the worker sent all results
	case caller.Err() != nil:
		return caller.Err()
	case errors.Is(cause, errStalled):
		return failf("A page took longer than %v of processor time, which is the limit.", limits.Page)
	case errors.Is(cause, errTotal):
		return failf("The PDF took longer than %v, which is the limit.", limits.Total)
	case errors.Is(received, errBroken):
		return w.obituary(waited)
	}
	return received
}

type worker struct {
	cmd    *exec.Cmd
	out    io.Reader
	errors *excerpt
}

func (p *Processor) start(ctx context.Context, o order, file *os.File) (*worker, error) {
	command := p.Command
	if command == nil {
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		command = []string{self, WorkerArgument}
	}
	var in bytes.Buffer
	if err := gob.NewEncoder(&in).Encode(o); err != nil {
		return nil, err
	}
	w := &worker{cmd: exec.CommandContext(ctx, command[0], command[1:]...), errors: &excerpt{}}
	w.cmd.Stdin, w.cmd.Stderr = &in, w.errors
	w.cmd.ExtraFiles = []*os.File{file} // pdfFD
	w.cmd.Env = []string{"GOTRACEBACK=none"}
	w.cmd.Dir = "/"
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	w.cmd.WaitDelay = time.Second
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	w.out = out
	if err := w.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start a PDF worker: %w", err)
	}
	return w, nil
}

// obituary returns the error of a worker that ended early. The document is the usual cause.
func (w *worker) obituary(waited error) error {
	words := strings.ReplaceAll(strings.TrimSpace(w.errors.String()), "\n", "; ")
	if strings.Contains(words, "out of memory") || strings.Contains(words, "cannot allocate memory") {
		return failf("The PDF needs more memory than the limit allows.")
	}
	if words != "" {
		words = ": " + words
	}
	if waited == nil {
		return fmt.Errorf("the PDF worker ended early%s", words)
	}
	return fmt.Errorf("the PDF worker ended with %w%s", waited, words)
}

// errBroken means that the results are incomplete or invalid.
var errBroken = errors.New("broken results")

// receive passes all results to the sink, and calls alive for each message. It checks the
// numbers, because the worker is not trusted.
func receive(r io.Reader, sink Sink, alive func(), limits Limits) error {
	in := gob.NewDecoder(r)
	pages, came, running := 0, 0, false
	for {
		var m message
		if err := in.Decode(&m); err != nil {
			return fmt.Errorf("%w: %w", errBroken, err)
		}
		alive()
		var err error
		switch {
		case m.Failure != nil:
			return m.Failure
		case !running:
			if running = m.Running; !running {
				return fmt.Errorf("%w: PDFium does not run yet", errBroken)
			}
		case pages == 0:
			if pages = m.Pages; pages < 1 || pages > limits.Pages || !m.fits() {
				return fmt.Errorf("%w: %d pages", errBroken, pages)
			}
			err = sink.Begin(pages, m.Tables, m.TableFailure)
		case m.Page != nil:
			if came++; came > pages || len(m.Page.Images) != len(Sizes) || !m.Page.fits() {
				return fmt.Errorf("%w: page %d of %d", errBroken, came, pages)
			}
			err = sink.Page(*m.Page)
		case m.End && came == pages:
			if !m.Outline.fits() || !m.Wishes.fits(pages) {
				return fmt.Errorf("%w: bookmarks or labels", errBroken)
			}
			return sink.End(m.Outline, m.Wishes)
		default:
			return fmt.Errorf("%w: the end after page %d of %d", errBroken, came, pages)
		}
		if err != nil {
			return err
		}
	}
}

// excerpt keeps the first excerptSize bytes written to it.
type excerpt struct{ kept []byte }

const excerptSize = 2 << 10

func (t *excerpt) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p[:min(len(p), excerptSize-len(t.kept))]...)
	return len(p), nil
}

func (t *excerpt) String() string { return string(t.kept) }
