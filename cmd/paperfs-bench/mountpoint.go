package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// unmount unmounts dir. It detaches a mount that stays busy or does not answer.
func unmount(dir string) error {
	polite, rude := []string{"umount", dir}, []string{"umount", "-l", dir}
	if os.Geteuid() != 0 {
		polite, rude = []string{"fusermount3", "-u", dir}, []string{"fusermount3", "-u", "-z", dir}
	}
	for limit := time.Now().Add(patience); isMount(dir); time.Sleep(100 * time.Millisecond) {
		words := polite
		if time.Now().After(limit) {
			words = rude
		}
		ctx, cancel := context.WithTimeout(context.Background(), patience/2)
		out, err := exec.CommandContext(ctx, words[0], words[1:]...).CombinedOutput()
		cancel()
		if err != nil && time.Now().After(limit.Add(patience)) {
			return fmt.Errorf("%s: %w: %s", strings.Join(words, " "), err, bytes.TrimSpace(out))
		}
	}
	return nil
}

// removeUnmounted removes a directory, unless something is mounted in it.
func removeUnmounted(dir string) error {
	table, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return err
	}
	if bytes.Contains(table, []byte(" "+dir+"/")) {
		return fmt.Errorf("%s: something is mounted in it still; unmount and remove it yourself", dir)
	}
	return os.RemoveAll(dir)
}

// isMount reports whether a file system is mounted at dir, even one whose server has ended.
func isMount(dir string) bool {
	table, err := os.ReadFile("/proc/self/mountinfo")
	return err == nil && bytes.Contains(table, []byte(" "+dir+" "))
}
