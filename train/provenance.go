package train

import (
	"fmt"
	"io"
	"strings"
)

// Provenance records the origin of a brain, so its creation and strength can be reproduced.
type Provenance struct {
	Command string // that reproduces the result, whatever ended the run
	Seed    uint64
	Games   int64  // learned from
	Commit  string // of the program, or ""
	Scores  []Score
}

// writeComments writes the provenance as lines of comment, each behind the given prefix. It has
// no dates or times: the same command writes the same bytes.
func (p Provenance) writeComments(w io.Writer, prefix string) error {
	lines := []string{
		"Learned by: " + p.Command,
		fmt.Sprintf("Games: %d of seed %d", p.Games, p.Seed),
	}
	if p.Commit != "" {
		lines = append(lines, "Commit: "+p.Commit)
	}
	for _, s := range p.Scores {
		lines = append(lines, fmt.Sprintf("Score: %s, 95 %% interval, %d games", s, s.Games))
	}
	for _, line := range lines {
		// User text must not end the comment.
		line = strings.Map(func(r rune) rune {
			if r < ' ' || r == 0x7f {
				return ' '
			}
			return r
		}, line)
		if _, err := fmt.Fprintf(w, "%s%s\n", prefix, line); err != nil {
			return err
		}
	}
	return nil
}
