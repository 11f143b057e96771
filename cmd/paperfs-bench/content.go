package main

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// content is the expected content of a file.
type content struct {
	size int64
	sum  [sha256.Size]byte
}

// files are contents by path below the target; "" is the target itself.
type files map[string]content

func (f files) size() (sum int64) {
	for _, c := range f {
		sum += c.size
	}
	return sum
}

// makeFile writes random bytes, which do not compress. They depend on the seed.
func makeFile(path string, size int64, seed uint64) (content, error) {
	f, err := os.Create(path)
	if err != nil {
		return content{}, err
	}
	defer f.Close()
	sum := sha256.New()
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	if _, err := io.CopyN(io.MultiWriter(f, sum), rand.NewChaCha8(key), size); err != nil {
		return content{}, err
	}
	return content{size, [32]byte(sum.Sum(nil))}, f.Close()
}

// makeFiles fills a directory with files. If there are more than a hundred, each
// subdirectory has a hundred. Their seeds count up from first.
func makeFiles(dir string, count int, size int64, first uint64) (files, error) {
	made := files{}
	for i := range count {
		name := fmt.Sprintf("file-%06d.bin", i)
		if count > 100 {
			name = filepath.Join(fmt.Sprintf("dir-%04d", i/100), name)
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		var err error
		if made[name], err = makeFile(path, size, first+uint64(i)); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// diskStore is a server that stores its files in this directory.
type diskStore string

func (s diskStore) has(name string, want files) (bool, error) {
	for path, c := range want {
		info, err := os.Stat(filepath.Join(string(s), name, path))
		if err != nil || info.Size() != c.size {
			return false, nil
		}
	}
	return true, nil
}

func (s diskStore) check(name string, want files) error {
	top, found := filepath.Join(string(s), name), 0
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		found++
		below, err := filepath.Rel(top, path)
		if err != nil {
			return err
		}
		if below == "." {
			below = ""
		}
		got, err := readFile(path)
		if err == nil && got != want[below] {
			err = fmt.Errorf("%s is not what was written", path)
		}
		return err
	})
	if err == nil && found != len(want) {
		err = fmt.Errorf("%d files in place of %d", found, len(want))
	}
	return err
}

func readFile(path string) (content, error) {
	f, err := os.Open(path)
	if err != nil {
		return content{}, err
	}
	defer f.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, f)
	return content{n, [32]byte(sum.Sum(nil))}, err
}

func (s diskStore) drop(name string) error { return os.RemoveAll(filepath.Join(string(s), name)) }
