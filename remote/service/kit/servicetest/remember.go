package servicetest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/pdf"
)

// rememberArgument is the first argument of a worker that remembers. The second is the directory.
const rememberArgument = "remembering-" + pdf.WorkerArgument

// remembering is the directory in which workers remember; "" if they do not.
var remembering string

// RememberPages lets the PDF workers of services that start later remember what PDFium made of a
// PDF, in a directory that the caller removes. Most tests put the same few PDFs, and what
// PDFium does to start costs more than such a test. A TestMain calls it.
func RememberPages(dir string) {
	remembering = dir
	_ = os.MkdirAll(dir, 0o700) // otherwise nothing is remembered; a worker that outlives the tests does not make it again
}

// RunRemembering runs a package's tests with workers that remember: those that are about PDFium are in package pdf.
func RunRemembering(m *testing.M) (code int) {
	dir, err := os.MkdirTemp("", "paperfs-pages-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	RememberPages(dir)
	return m.Run()
}

// PDFWorker returns the command that starts PDF workers.
func PDFWorker() []string {
	command := pdftest.Command()
	if remembering == "" {
		return command
	}
	if command == nil {
		self, err := os.Executable()
		if err != nil {
			panic(err) // fails the test
		}
		command = []string{self}
	}
	return []string{command[0], rememberArgument, remembering}
}

// rememberIfWorker is a worker that sends what an earlier one sent for the same order and PDF, if
// that one sent all. Otherwise it is an ordinary worker whose output it keeps.
func rememberIfWorker() {
	if len(os.Args) != 3 || os.Args[1] != rememberArgument {
		return
	}
	code, err := remember(os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func remember(dir string) (code int, err error) {
	order, err := io.ReadAll(os.Stdin)
	if err != nil {
		return 0, err
	}
	name, err := nameOf(order)
	if err != nil {
		return 0, err
	}
	kept := filepath.Join(dir, name)
	if before, err := os.ReadFile(kept); err == nil {
		_, err = os.Stdout.Write(before)
		return 0, err
	}
	sent, code, err := work(order)
	if err == nil && code == 0 {
		keep(kept, sent)
	}
	return code, err
}

// nameOf returns a name for the order and the PDF together. An ordinary worker has its own os.File: the
// descriptor stays open.
func nameOf(order []byte) (string, error) {
	again, err := unix.Dup(3) // the first of ExtraFiles
	if err != nil {
		return "", err
	}
	file := os.NewFile(uintptr(again), "pdf")
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	digest := sha256.New()
	digest.Write(order)
	// The service may leave the file at its end, and an ordinary worker reads at places.
	if _, err := io.Copy(digest, io.NewSectionReader(file, 0, info.Size())); err != nil {
		return "", err
	}
	return hex.EncodeToString(digest.Sum(nil)), nil
}

// work runs an ordinary worker in this process, and returns what it sends.
func work(order []byte) (sent []byte, code int, err error) {
	in, orders, err := os.Pipe()
	if err != nil {
		return nil, 0, err
	}
	out, results, err := os.Pipe()
	if err != nil {
		return nil, 0, err
	}
	var all bytes.Buffer
	var copying sync.WaitGroup
	copying.Go(func() {
		_, _ = orders.Write(order)
		orders.Close()
	})
	stdout := os.Stdout
	copying.Go(func() { _, err = io.Copy(io.MultiWriter(stdout, &all), out) })
	os.Stdin, os.Stdout = in, results
	code = pdf.Work()
	results.Close()
	copying.Wait()
	return all.Bytes(), code, err
}

// keep keeps the output of a worker. If it cannot, the next worker has more to do.
func keep(path string, sent []byte) {
	f, err := os.CreateTemp(filepath.Dir(path), "")
	if err != nil {
		return
	}
	if _, err := f.Write(sent); err == nil && f.Close() == nil {
		_ = os.Rename(f.Name(), path)
	}
}
