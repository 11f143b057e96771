package pdf

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"golang.org/x/sys/unix"
)

// WorkerArgument is the only argument of a program that must run Work.
const WorkerArgument = "pdf-worker"

// RunIfWorker runs Work and exits if the program was started as a worker.
// Otherwise it does nothing. It is for programs without commands of their own,
// such as tests.
func RunIfWorker() {
	if len(os.Args) == 2 && os.Args[1] == WorkerArgument {
		os.Exit(Work())
	}
}

// Work runs a worker. It returns the exit code of the process.
func Work() int {
	if err := noNewPrivileges(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	var o order
	if err := gob.NewDecoder(os.Stdin).Decode(&o); err != nil {
		fmt.Fprintf(os.Stderr, "no order on the standard input: %v\n", err)
		return 2
	}
	if err := confine(o.Limits); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	out := gob.NewEncoder(os.Stdout)
	err := work(o, os.NewFile(pdfFD, "pdf"), out)
	var failure *Failure
	if errors.As(err, &failure) {
		err = out.Encode(message{Failure: failure})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// confine limits the process's memory and processor time. Memory that the program
// needs in any case comes on top of the document's.
func confine(l Limits) error {
	const program = 256 << 20
	debug.SetMemoryLimit(l.Memory / 2)
	memory := uint64(l.Memory + program)
	if err := unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: memory, Max: memory}); err != nil {
		return fmt.Errorf("limit the memory: %w", err)
	}
	seconds := uint64(2*l.Total.Seconds()) + 2 // the worker uses at most two processors
	if err := unix.Setrlimit(unix.RLIMIT_CPU, &unix.Rlimit{Cur: seconds, Max: seconds}); err != nil {
		return fmt.Errorf("limit the processor time: %w", err)
	}
	return unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
}

// work sends all results, or returns the error. A *Failure is the document's
// fault.
func work(o order, file io.ReadSeeker, out *gob.Encoder) error {
	d, err := open(o, file, func() error { return out.Encode(message{Running: true}) })
	if err != nil {
		return err
	}
	from, to, err := d.pageRange(o.Job)
	if err != nil {
		return err
	}
	begin := message{Pages: to - from + 1}
	if o.Job.Tables {
		begin.Tables, begin.TableFailure = d.tables()
	}
	if err := out.Encode(begin); err != nil {
		return err
	}
	if err := d.sendPages(from, to, out); err != nil {
		return err
	}
	return out.Encode(message{Outline: d.outline(), Wishes: d.wishes(from, to), End: true})
}
