package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// unmount unmounts dir. It detaches a mount that stays busy or does not answer.
func unmount(dir string) error {
	for limit := time.Now().Add(patience); isMount(dir); time.Sleep(100 * time.Millisecond) {
		words := []string{"umount", dir}
		if os.Geteuid() != 0 {
			words = []string{"fusermount3", "-u", dir}
		}
		if time.Now().After(limit) {
			words = append(words, map[string]string{"umount": "-l", "fusermount3": "-z"}[words[0]])
		}
		ctx, cancel := context.WithTimeout(context.Background(), patience/2)
		out, err := exec.CommandContext(ctx, words[0], words[1:]...).CombinedOutput()
		cancel()
		if err != nil && time.Now().After(limit.Add(patience)) {
			return fmt.Errorf("%v: %w: %s", words, err, bytes.TrimSpace(out))
		}
	}
	return nil
}

// removeUnmounted removes a directory, unless something is mounted in it.
func removeUnmounted(dir string) error {
	if mounted(dir + "/") {
		return fmt.Errorf("%s: something is mounted in it still; unmount and remove it yourself", dir)
	}
	return os.RemoveAll(dir)
}

// isMount reports whether a file system is mounted at dir, even one whose server has ended.
func isMount(dir string) bool { return mounted(dir + " ") }

// mounted reports whether the path of a mount begins so; a blank ends a path.
func mounted(path string) bool {
	return bytes.Contains(got(os.ReadFile("/proc/self/mountinfo")), []byte(" "+path))
}
