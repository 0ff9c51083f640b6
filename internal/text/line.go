package text

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// ReadLine reads a line without its end. A line longer than most bytes is skipped and reported
// as a problem. The last line may lack its end; after it comes io.EOF.
func ReadLine(in *bufio.Reader, most int) (line []byte, problem, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if problem == nil {
			line = append(line, part...)
		}
		if len(bytes.TrimSuffix(line, []byte("\n"))) > most {
			line, problem = nil, fmt.Errorf("the line is longer than %d bytes", most)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && (len(line) > 0 || problem != nil):
			return line, problem, nil
		case err != nil:
			return nil, nil, err
		}
		return bytes.TrimSuffix(line, []byte("\n")), problem, nil
	}
}
