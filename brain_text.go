package ur

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// A brain's text form is 33 rows with 33 integers each, one row a line. "//" starts a comment
// that runs to its line's end; lines with nothing else are skipped. Spaces or tabs
// separate the numbers, except that a minus sign may directly follow a digit, as in "0-12".
// Entries above the diagonal must be 0 or missing.
//
// A comment may hold a hash over the weights, to detect later changes; see [HashComment].
//
// A JSON object with the member "weights", the 561 in [Brain], is a brain, too. Either form may
// begin with a byte order mark.

// BrainSyntaxError reports where a brain has a syntax error, and why.
type BrainSyntaxError struct {
	Line int // line number from 1
	Msg  string
}

func (e *BrainSyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Msg) }

// maxBrainLine bounds the memory that one line in a foreign file can take.
const maxBrainLine = 1 << 20

// hashMark begins the comment with the hash.
const hashMark = "// Hash: "

// HashComment returns the comment line with the weights' hash.
func (b *Brain) HashComment() string { return hashMark + b.Hash() + "\n" }

// ReadBrain reads a brain's text form, or its JSON, up to r's end, and reports whether its
// weights differ from the hash in its comments, because they were edited or damaged. A syntax error is
// reported as a [*BrainSyntaxError]; errors from r are returned unchanged.
func ReadBrain(r io.Reader) (b *Brain, altered bool, err error) {
	in := bufio.NewReader(r)
	if mark, _ := in.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		in.Discard(len(byteOrderMark)) //nolint:errcheck // they are there
	}
	if first, _ := in.Peek(1); string(first) == "{" {
		b, err := readBrainJSON(in)
		return b, false, err
	}
	b = new(Brain)
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxBrainLine)
	line, row, hash := 0, 0, ""
	for lines.Scan() {
		line++
		if told, ok := strings.CutPrefix(lines.Text(), hashMark); ok {
			hash = strings.TrimSpace(told)
		}
		numbers, _, _ := strings.Cut(lines.Text(), "//")
		if strings.TrimSpace(numbers) == "" {
			continue
		}
		if row == board.Numbers {
			return nil, false, &BrainSyntaxError{line, "more than 33 rows (want 33)"}
		}
		if err := b.parseRow(row, numbers); err != nil {
			return nil, false, &BrainSyntaxError{line, err.Error()}
		}
		row++
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, false, &BrainSyntaxError{line + 1, fmt.Sprintf("longer than %d bytes", maxBrainLine)}
	case err != nil:
		return nil, false, err
	case row < board.Numbers:
		return nil, false, &BrainSyntaxError{max(1, line), fmt.Sprintf("the text ends after %d rows (want 33 rows of 33 integers)", row)}
	}
	return b, hash != "" && hash != b.Hash(), nil
}

// byteOrderMark is the prefix that some editors write.
const byteOrderMark = "\ufeff"

// readBrainJSON reads a brain as a JSON object with weights.
func readBrainJSON(r io.Reader) (*Brain, error) {
	var object struct {
		Weights []int16 `json:"weights"`
	}
	if err := json.NewDecoder(io.LimitReader(r, maxBrainLine)).Decode(&object); err != nil {
		return nil, &BrainSyntaxError{1, "not the JSON of a brain: " + err.Error()}
	}
	b := new(Brain)
	if len(object.Weights) != len(b) {
		return nil, &BrainSyntaxError{1, fmt.Sprintf("the JSON has %d weights (want %d)", len(object.Weights), len(b))}
	}
	copy(b[:], object.Weights)
	return b, nil
}

// glued matches a minus sign directly behind a digit.
var glued = regexp.MustCompile(`(\d)-`)

// parseRow reads the numbers in matrix row i.
func (b *Brain) parseRow(i int, row string) error {
	words := strings.Fields(glued.ReplaceAllString(row, "$1 -"))
	for j, word := range words {
		n, err := strconv.ParseInt(word, 10, 16)
		switch {
		case j == board.Numbers:
			return fmt.Errorf("row %d has %q after 33 numbers (want 33 numbers)", i, text.Clip(strings.Join(words[j:], " ")))
		case errors.Is(err, strconv.ErrRange):
			return fmt.Errorf("row %d, column %d: %s is outside the 16-bit range -32768 to 32767", i, j, text.Clip(word))
		case err != nil || word[0] == '+':
			return fmt.Errorf("row %d, column %d: %q is not an integer", i, j, text.Clip(word))
		case j > i && n != 0:
			return fmt.Errorf("row %d, column %d is %d (want 0 above the diagonal)", i, j, n)
		case j <= i:
			b[WeightIndex(i, j)] = int16(n)
		}
	}
	if n := len(words); n != i+1 && n != board.Numbers { // a triangle has i+1
		return fmt.Errorf("row %d has %s (want %d, or 33 with those above the diagonal)", i, text.Plural(n, "number"), i+1)
	}
	return nil
}

// MarshalText returns b's text form, in columns.
func (b *Brain) MarshalText() ([]byte, error) {
	var width [board.Numbers]int
	for i := range board.Numbers {
		for j := range board.Numbers {
			width[j] = max(width[j], len(strconv.Itoa(int(b.At(i, j)))))
		}
	}
	var out bytes.Buffer
	for i := range board.Numbers {
		for j := range board.Numbers {
			if j > 0 {
				out.WriteByte(' ')
			}
			fmt.Fprintf(&out, "%*d", width[j], b.At(i, j))
		}
		out.WriteByte('\n')
	}
	return out.Bytes(), nil
}
