package record

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// replaceBlocks returns a document with what stands between the lines of each block
// replaced, and the number of blocks. The expression matches such a line; its first
// group is the name of the block and its second "begin" or "end". Other lines stay.
// Errors name the line: of a block without an end, of an end without a block, and of
// a block that write has an error about.
func replaceBlocks(text []byte, line *regexp.Regexp, write func(w io.Writer, name string) error) (replaced []byte, blocks int, err error) {
	var out bytes.Buffer
	var open string // name of the block that the line is in
	var openLine int
	for i, text := range strings.SplitAfter(string(text), "\n") {
		parts := line.FindStringSubmatch(strings.TrimSpace(text))
		switch {
		case parts == nil && open != "":
			continue // replaced
		case parts == nil:
			out.WriteString(text)
			continue
		case parts[2] == "begin" && open != "":
			return nil, 0, fmt.Errorf("line %d: the block %q of line %d has no end", i+1, open, openLine)
		case parts[2] == "end" && open != parts[1]:
			return nil, 0, fmt.Errorf("line %d: %q ends without a begin", i+1, parts[1])
		case parts[2] == "end":
			open = ""
			out.WriteString(text)
			continue
		}
		open, openLine, blocks = parts[1], i+1, blocks+1
		out.WriteString(text)
		fmt.Fprintln(&out)
		if err := write(&out, open); err != nil {
			return nil, 0, fmt.Errorf("line %d: %w", i+1, err)
		}
		fmt.Fprintln(&out)
	}
	if open != "" {
		return nil, 0, fmt.Errorf("line %d: the block %q has no end", openLine, open)
	}
	return out.Bytes(), blocks, nil
}
