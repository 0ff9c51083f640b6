package main

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// A block is a part of a page between the lines
//
//	<!-- generated:NAME -->
//	<!-- /generated -->
type block struct {
	page  string // file below the root of the module, with slashes
	name  string
	write func(w io.Writer) error
}

// mark matches both lines of a block. The group is the name, "" at the end of a block.
var mark = regexp.MustCompile(`^<!-- (?:generated:(\S+)|/generated) -->$`)

// fill returns a page with the contents of all its blocks replaced. Every mark must be of a
// block of the list, and every block of the list must be on the page once. Errors name the
// line.
func fill(page []byte, blocks []block) ([]byte, error) {
	var out bytes.Buffer
	missing := slices.Clone(blocks)
	open, openLine := "", 0 // the block of the line
	for i, line := range strings.SplitAfter(string(page), "\n") {
		parts := mark.FindStringSubmatch(strings.TrimSpace(line))
		switch {
		case parts == nil && open == "":
			out.WriteString(line)
		case parts == nil: // replaced
		case parts[1] != "" && open != "":
			return nil, fmt.Errorf("line %d: block %q of line %d has no end", i+1, open, openLine)
		case parts[1] != "":
			at := slices.IndexFunc(missing, func(b block) bool { return b.name == parts[1] })
			if at < 0 {
				return nil, fmt.Errorf("line %d: unknown or repeated block %q (want one of the list in pages.go)",
					i+1, parts[1])
			}
			open, openLine = parts[1], i+1
			out.WriteString(line)
			fmt.Fprintln(&out)
			if err := missing[at].write(&out); err != nil {
				return nil, fmt.Errorf("line %d: block %q: %w", i+1, open, err)
			}
			fmt.Fprintln(&out)
			missing = slices.Delete(missing, at, at+1)
		case open == "":
			return nil, fmt.Errorf("line %d: end of a block without a beginning", i+1)
		default:
			open = ""
			out.WriteString(line)
		}
	}
	if open != "" {
		return nil, fmt.Errorf("line %d: block %q has no end", openLine, open)
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("missing block %q (want the lines <!-- generated:%[1]s --> and <!-- /generated -->)",
			missing[0].name)
	}
	return out.Bytes(), nil
}
