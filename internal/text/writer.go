package text

import "io"

// Writer writes to another writer and remembers the first error, after which it drops all
// output, so callers need not check every line.
type Writer struct {
	To  io.Writer
	Err error
}

func (w *Writer) Write(p []byte) (int, error) {
	if w.Err != nil {
		return 0, w.Err
	}
	n, err := w.To.Write(p)
	w.Err = err
	return n, err
}
