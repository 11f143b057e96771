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
)

// content is what a file has.
type content struct {
	size int64
	sum  string // SHA-256 in hexadecimal
}

// files are contents by path below a place; "" is the place itself.
type files map[string]content

// holds returns an error unless these files are those that are wanted, by their sizes.
func (f files) holds(want files) error {
	for path, c := range want {
		if f[path].size != c.size {
			return fmt.Errorf("%q has %d bytes, not %d", path, f[path].size, c.size)
		}
	}
	return nil
}

// equals compares the contents, too, and finds files that nobody wrote.
func (f files) equals(want files) error {
	if len(f) != len(want) {
		return fmt.Errorf("%d files in place of %d", len(f), len(want))
	}
	for path, c := range want {
		if f[path] != c {
			return fmt.Errorf("%q is not what was written", path)
		}
	}
	return nil
}

// makeFile writes random bytes, which do not compress. They depend on the seed.
func makeFile(path string, size int64, seed uint64) content {
	f := got(os.Create(path))
	defer f.Close()
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
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		below, err := filepath.Rel(top, path)
		if err != nil {
			return err
		}
		if below == "." {
			below = ""
		}
		c, err := readFile(path, sums)
		if err == nil {
			found[below] = c
		}
		return err
	}))
	return found
}

// readFile returns the content of a file, its sum only if it is asked for.
func readFile(path string, sums bool) (content, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) { // it was renamed meanwhile
		return content{}, nil
	}
	if err != nil {
		return content{}, err
	}
	defer f.Close()
	if !sums {
		info, err := f.Stat()
		if err != nil {
			return content{}, err
		}
		return content{size: info.Size()}, nil
	}
	sum := sha256.New()
	n, err := io.Copy(sum, f)
	return content{n, hex.EncodeToString(sum.Sum(nil))}, err
}
