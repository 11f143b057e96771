package service

import (
	"net/http"
	"strconv"
	"time"

	"paperfs/remote/service/address"
	"paperfs/remote/service/fault"
)

// mayAsk counts a request without credentials and reports whether to serve it. It has
// answered a request that its address sent too soon after others.
func (s *Service) mayAsk(w http.ResponseWriter, r *http.Request) bool {
	failure := s.tooOften(r)
	if failure == nil {
		return true
	}
	failure.Answer(w)
	return false
}

// tooOften counts a request without good credentials. It returns the refusal of one that
// came too soon; nil for others.
func (s *Service) tooOften(r *http.Request) *fault.Failure {
	wait := s.addresses.Take(address.Network(r))
	if wait == 0 {
		return nil
	}
	return s.tooMany("Too many requests from your address.", wait)
}

// tooMany refuses a request; its sender may try again after wait.
func (s *Service) tooMany(line string, wait time.Duration) *fault.Failure {
	s.metrics.Limited.Inc()
	return &fault.Failure{Status: http.StatusTooManyRequests, Line: line,
		Header: http.Header{"Retry-After": {strconv.Itoa(int((wait + time.Second - 1) / time.Second))}}}
}
