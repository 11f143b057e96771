package main

import (
	"fmt"
	"time"
)

// serviceOptions are the flags of the command service.
type serviceOptions struct {
	options
	papers      int
	size        int64
	span        time.Duration // for each rate
	pdfs, pages int
}

func (o *serviceOptions) check() error {
	switch {
	case o.papers < 100:
		return fmt.Errorf("--papers %d: at least a hundred", o.papers)
	case o.size < 1:
		return fmt.Errorf("--size %d: at least one byte", o.size)
	case o.span <= 0:
		return fmt.Errorf("--span %v: give a time such as 3s", o.span)
	case o.pdfs < 1 || o.pages < 1:
		return fmt.Errorf("--pdfs %d --pages %d: at least one of each", o.pdfs, o.pages)
	}
	return nil
}
