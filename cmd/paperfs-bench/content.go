package main

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// content is what a file has.
type content struct {
	size int64
	sum  string // SHA-256 in hexadecimal
}

// files are contents by path below a place; "" is the place itself.
type files map[string]content

// differs returns an error unless these files are those that are wanted: by their sizes and, if sums is
// true, by their contents.
func (f files) differs(want files, sums bool) error {
	if len(f) != len(want) {
		return fmt.Errorf("%d files in place of %d", len(f), len(want))
	}
	for path, c := range want {
		if has := f[path]; has.size != c.size || sums && has != c {
			return fmt.Errorf("%q is not what was written", path)
		}
	}
	return nil
}

// makeFile writes random bytes, which do not compress. They depend on the seed.
func makeFile(path string, size int64, seed uint64) content {
	f := got(os.Create(path))
	sum := sha256.New()
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	got(io.CopyN(io.MultiWriter(f, sum), rand.NewChaCha8(key), size))
	must(f.Close())
	return content{size, hex.EncodeToString(sum.Sum(nil))}
}

// makeFiles fills a directory with files. If there are more than a hundred, each
// subdirectory has a hundred. Their seeds count up from first.
func makeFiles(dir string, count int, size int64, first uint64) files {
	made := files{}
	for i := range count {
		name := fmt.Sprintf("file-%06d.bin", i)
		if count > 100 {
			name = filepath.Join(fmt.Sprintf("dir-%04d", i/100), name)
		}
		path := filepath.Join(dir, name)
		must(os.MkdirAll(filepath.Dir(path), 0o755))
		made[name] = makeFile(path, size, first+uint64(i))
	}
	return made
}

// onDisk returns the files of a server that stores them in a directory. A server may be writing there.
func onDisk(top string, sums bool) files {
	found := files{}
	must(filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) || err == nil && d.IsDir() {
			return nil
		}
		if err == nil {
			found[strings.TrimPrefix(strings.TrimPrefix(path, top), "/")], err = readFile(path, sums)
		}
		return err
	}))
	return found
}

// readFile returns the content of a file, its sum only if it is asked for. A file that is not there has none: it was
// renamed meanwhile.
func readFile(path string, sums bool) (c content, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return content{}, nil
	}
	if err != nil {
		return content{}, err
	}
	defer f.Close()
	if sums {
		return sumOf(f)
	}
	c.size, err = f.Seek(0, io.SeekEnd)
	return c, err
}

func sumOf(r io.Reader) (content, error) {
	sum := sha256.New()
	n, err := io.Copy(sum, r)
	return content{n, hex.EncodeToString(sum.Sum(nil))}, err
}
