package fleet

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// serverLog passes the server's warnings and errors on, remembers the first of them, and
// finds among them the reasons why it cannot begin or go on.
type serverLog struct {
	log        func(string) // may be nil
	fatal      chan string  // the first reason why the server cannot begin
	unwritable chan string  // the first reason why it cannot write its store

	mutex sync.Mutex // guards first; no other is taken while it is held
	first []string
}

// maxLogged is how many messages a log remembers.
const maxLogged = 100

func newServerLog(log func(string)) *serverLog {
	return &serverLog{log: log, fatal: make(chan string, 1), unwritable: make(chan string, 1)}
}

func (l *serverLog) Noticef(format string, v ...any) {}
func (l *serverLog) Debugf(format string, v ...any)  {}
func (l *serverLog) Tracef(format string, v ...any)  {}
func (l *serverLog) Warnf(format string, v ...any)   { l.report(fmt.Sprintf(format, v...)) }

// Errorf is called for errors, among them streams that cannot be written. NATS rejects all
// messages for such a stream until it is restarted.
func (l *serverLog) Errorf(format string, v ...any) {
	message := fmt.Sprintf(format, v...)
	l.report(message)
	for _, mark := range []string{"critical write error", "failed to store a msg", "will be disabled"} {
		if i := strings.Index(strings.ToLower(message), mark); i >= 0 {
			_, reason, ok := strings.Cut(message[i:], ": ")
			if !ok {
				reason = message
			}
			offer(l.unwritable, reason)
			return
		}
	}
}

// Fatalf is called for errors that keep the server from starting.
func (l *serverLog) Fatalf(format string, v ...any) {
	message := fmt.Sprintf(format, v...)
	l.report(message)
	offer(l.fatal, message)
}

// offer puts a message into an empty channel.
func offer(c chan string, message string) {
	select {
	case c <- message:
	default:
	}
}

// report passes a message on.
func (l *serverLog) report(message string) {
	l.mutex.Lock()
	if len(l.first) < maxLogged {
		l.first = append(l.first, message)
	}
	l.mutex.Unlock()
	if l.log != nil {
		l.log(message)
	}
}

// messages returns the first messages.
func (l *serverLog) messages() []string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return slices.Clone(l.first)
}
