package service

import (
	"net/http"
	"strconv"
	"time"

	"paperfs/remote/service/address"
	"paperfs/remote/service/plain"
)

// mayAsk answers a request that came too soon after others without
// credentials; false where it did.
func (s *Service) mayAsk(w http.ResponseWriter, r *http.Request) bool {
	failure := s.tooOften(r)
	if failure == nil {
		return true
	}
	failure.Answer(w)
	return false
}

// tooOften counts a request that came without good credentials; it is the
// refusal of one that came too soon, else nil.
func (s *Service) tooOften(r *http.Request) *plain.Failure {
	wait := s.addresses.Take(address.Network(r))
	if wait == 0 {
		return nil
	}
	return s.tooMany("Too many requests from your address.", wait)
}

// tooMany refuses a request until some time has passed.
func (s *Service) tooMany(line string, wait time.Duration) *plain.Failure {
	s.metrics.Limited.Inc()
	return &plain.Failure{Status: http.StatusTooManyRequests, Line: line,
		Header: http.Header{"Retry-After": {strconv.Itoa(int((wait + time.Second - 1) / time.Second))}}}
}
