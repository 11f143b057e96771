package programtest

import "os"

// Bare is an environment of vars ("NAME=value"), PATH, TMPDIR, and what Go
// programs read for themselves: nothing else of the environment of the tests gets in.
func Bare(vars ...string) []string {
	env := []string{}
	for _, name := range []string{"PATH", "TMPDIR", "GOMAXPROCS", "GORACE", "GOCOVERDIR"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return append(env, vars...)
}
