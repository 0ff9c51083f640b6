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

// The text form of a brain is 33 rows of 33 integers, one row a line. "//" starts a comment
// that runs to the end of its line; lines with nothing else are skipped. Spaces or tabs
// separate the numbers, except that a minus sign may directly follow a digit, as in "0-12".
// Entries above the diagonal must be 0 or missing.
//
// A comment may hold the hash of the weights, to detect later changes; see [HashComment].
//
// A JSON object with the member "weights", the 561 of [Brain], is a brain, too. Either form may
// begin with a byte order mark.

// BrainSyntaxError reports the position and the reason of a syntax error in a brain.
type BrainSyntaxError struct {
	Line int // from 1
	Msg  string
}

func (e *BrainSyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Msg) }

// maxBrainLine bounds the memory that one line of a foreign file can take.
const maxBrainLine = 1 << 20

// hashMark begins the comment with the hash.
const hashMark = "// Hash: "

// HashComment returns the comment line with the hash of the weights.
func (b *Brain) HashComment() string { return hashMark + b.Hash() + "\n" }

// ReadBrain reads the text form of a brain, or its JSON, up to the end of r, and reports whether its
// weights differ from the hash in its comments, because they were edited or damaged. A syntax error is
// reported as a [*BrainSyntaxError]; errors of r are returned unchanged.
func ReadBrain(r io.Reader) (b *Brain, altered bool, err error) {
	in := bufio.NewReader(r)
	if mark, _ := in.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		in.Discard(len(byteOrderMark)) //nolint:errcheck // they are there
	}
	if first, _ := in.Peek(1); string(first) == "{" {
		b, err := readBrainJSON(in)
		return b, false, err
	}
	b, hash, err := readBrainRows(in)
	if err != nil {
		return nil, false, err
	}
	return b, hash != "" && hash != b.Hash(), nil
}

// byteOrderMark is the prefix that some editors write.
const byteOrderMark = "\ufeff"

// readBrainJSON reads a brain as a JSON object with weights.
func readBrainJSON(r io.Reader) (*Brain, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxBrainLine+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > maxBrainLine:
		return nil, &BrainSyntaxError{1, fmt.Sprintf("longer than %d bytes", maxBrainLine)}
	}
	var object struct {
		Weights []int16 `json:"weights"`
	}
	if err := json.Unmarshal(data, &object); err != nil {
		line := 1
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			line += bytes.Count(data[:min(int(syntax.Offset), len(data))], []byte("\n"))
		}
		return nil, &BrainSyntaxError{line, "not the JSON of a brain: " + err.Error()}
	}
	b := new(Brain)
	if n := copy(b[:], object.Weights); n < len(b) || len(object.Weights) > n {
		return nil, &BrainSyntaxError{1, fmt.Sprintf("the JSON has %d weights (want %d)", len(object.Weights), len(b))}
	}
	return b, nil
}

// readBrainRows reads the rows, and the hash in a comment, if any.
func readBrainRows(r io.Reader) (b *Brain, hash string, err error) {
	b = new(Brain)
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxBrainLine)
	line, row := 0, 0
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
			return nil, "", &BrainSyntaxError{line, "more than 33 rows (want 33)"}
		}
		if err := b.parseRow(row, numbers); err != nil {
			return nil, "", &BrainSyntaxError{line, err.Error()}
		}
		row++
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, "", &BrainSyntaxError{line + 1, fmt.Sprintf("longer than %d bytes", maxBrainLine)}
	case err != nil:
		return nil, "", err
	case row < board.Numbers:
		return nil, "", &BrainSyntaxError{max(1, line), fmt.Sprintf("the text ends after %d rows (want 33 rows of 33 integers)", row)}
	}
	return b, hash, nil
}

// glued matches a minus sign directly behind a digit.
var glued = regexp.MustCompile(`(\d)-`)

// parseRow reads the numbers of matrix row i.
func (b *Brain) parseRow(i int, row string) error {
	words := strings.Fields(glued.ReplaceAllString(row, "$1 -"))
	for j, word := range words {
		n, err := strconv.ParseInt(word, 10, 16)
		switch {
		case j == board.Numbers:
			return fmt.Errorf("row %d has %q after 33 numbers (want 33 numbers)", i, clip(strings.Join(words[j:], " ")))
		case errors.Is(err, strconv.ErrRange):
			return fmt.Errorf("row %d, column %d: %s is outside the 16-bit range -32768 to 32767", i, j, clip(word))
		case err != nil || word[0] == '+':
			return fmt.Errorf("row %d, column %d: %q is not an integer", i, j, clip(word))
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

// clip shortens text from outside so that an error message stays readable.
func clip(s string) string {
	const most = 40
	if len(s) > most {
		return s[:most] + "..."
	}
	return s
}

// MarshalText returns the text form of b, in columns.
func (b *Brain) MarshalText() ([]byte, error) {
	var out bytes.Buffer
	for i := range board.Numbers {
		for j := range board.Numbers {
			if j > 0 {
				out.WriteByte(' ')
			}
			fmt.Fprintf(&out, "%*d", b.columnWidth(j), b.At(i, j))
		}
		out.WriteByte('\n')
	}
	return out.Bytes(), nil
}

// columnWidth returns the width of the widest number in column j.
func (b *Brain) columnWidth(j int) int {
	width := 1
	for i := j; i < board.Numbers; i++ {
		width = max(width, len(fmt.Sprint(b.At(i, j))))
	}
	return width
}

// UnmarshalText reads the text form.
func (b *Brain) UnmarshalText(text []byte) error {
	read, _, err := ReadBrain(bytes.NewReader(text))
	if err != nil {
		return err
	}
	*b = *read
	return nil
}
