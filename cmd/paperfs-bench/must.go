package main

// failure ends an attempt. A benchmark is a long list of steps none of which makes sense without
// those before: what fails goes up to the one place that decides, without a word at each step.
type failure struct{ err error }

// must ends the attempt if there is an error.
func must(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// got returns a value, or ends the attempt.
func got[T any](value T, err error) T {
	must(err)
	return value
}

// attempt returns the error that ended do. Each goroutine needs an attempt of its own.
func attempt(do func()) (err error) {
	defer func() {
		switch reason := recover().(type) {
		case nil:
		case failure:
			err = reason.err
		default:
			panic(reason)
		}
	}()
	do()
	return nil
}
