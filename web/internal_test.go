package web

import "time"

// LimitAnswers sets how long an answer may take to be written, for tests that cannot wait
// for what the server allows.
func (s *Server) LimitAnswers(d time.Duration) { s.writeTime = d }
