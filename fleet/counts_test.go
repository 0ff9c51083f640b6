package fleet

// refusedResults counts damaged or impossible results, all computed again.
func (s *Session) refusedResults() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.refused
}

// verifiedTasks returns how many tasks were computed a second time.
func (s *Session) verifiedTasks() int {
	if s.verifier == nil {
		return 0
	}
	s.verifier.mutex.Lock()
	defer s.verifier.mutex.Unlock()
	return s.verifier.verified
}
