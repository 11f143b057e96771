package service

// SetUnadmitted changes how much content is kept before good credentials.
func (s *Service) SetUnadmitted(bytes int64) { s.unadmitted = bytes }
