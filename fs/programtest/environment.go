package programtest

import "os"

// Bare returns an environment of vars ("NAME=value"), PATH, TMPDIR, and the variables that
// Go programs read. Nothing else of the tests' environment gets in.
func Bare(vars ...string) []string {
	env := []string{}
	if path, ok := os.LookupEnv("PATH"); ok {
		env = append(env, "PATH="+withoutScripts(path))
	}
	for _, name := range []string{"TMPDIR", "GOMAXPROCS", "GORACE", "GOCOVERDIR"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return append(env, vars...)
}
