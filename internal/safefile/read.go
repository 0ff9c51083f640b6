package safefile

import (
	"fmt"
	"io"
	"os"
)

// Read reads a file of at most most bytes. A larger one is an error, detected early and without
// more memory.
func Read(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > most {
		return nil, fmt.Errorf("%s: larger than %d MiB", name, most>>20)
	}
	return text, nil
}
