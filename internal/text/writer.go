package text

import "io"

// Writer writes to another and remembers the first error, after which it writes no
// more: who prints many lines need not look at every one.
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
