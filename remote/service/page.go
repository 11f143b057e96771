package service

import "net/http"

// servePage answers an address outside /V2/ and /media/.
func (s *Service) servePage(l *requestLog, _ *http.Request, _ string) { notFound(l) }
