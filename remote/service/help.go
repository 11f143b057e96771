package service

import "net/http"

// serveGroup answers the bare Group.asmx.
func (s *Service) serveGroup(l *requestLog, _ *http.Request, _ string) { notFound(l) }
