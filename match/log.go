package match

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/internal/safefile"
)

// Log is a file that records a [Plan] during play: one line for its header, and one for each
// finished span. Lines are only appended, each by one write and with a checksum, so the file
// holds all finished spans however the process ends. Opening cuts off an incomplete last line;
// any other damaged line's span is played again. One process at a time can open the log.
//
// A line is written by [safefile.MarshalLine]. The first line's data are the [Header]; the others'
// are {"unit":n,"score":{...}}, with the span's number.
type Log struct {
	file   *os.File
	synced time.Time
}

// OpenLog opens or creates a log. The caller must close it. A [*LogError] reports that another
// process has it open.
func OpenLog(name string) (*Log, error) {
	file, err := safefile.OpenLocked(name, os.O_APPEND)
	if errors.Is(err, safefile.ErrLocked) {
		err = &LogError{File: name, Msg: "in use by another process (wait for it, or name another folder)"}
	}
	if err != nil {
		return nil, err
	}
	return &Log{file: file, synced: time.Now()}, nil
}

// Close closes the file.
func (l *Log) Close() error { return l.file.Close() }

// LogError reports that a file is another plan's log. The file is unchanged.
type LogError struct {
	File string
	Line int // line number; 0 when no line is to blame
	Msg  string
}

func (e *LogError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s %s", e.File, e.Msg)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
}

// logRecord is a finished span.
type logRecord[S any] struct {
	Unit  *int `json:"unit"` // nil in a header
	Score S    `json:"score"`
}

// schemaMark is a part of every log's schema.
const schemaMark = "-log/"

// beginLog reads a plan's finished spans, cuts off an incomplete last line, and prepares the
// file for appending. It rejects another plan's log.
func beginLog[S any](l *Log, h Header) (*logContent[S], error) {
	content, err := readLog[S](l.file.Name(), io.NewSectionReader(l.file, 0, math.MaxInt64))
	if err != nil {
		return nil, err
	}
	if content.header == nil {
		var line []byte
		line, err = safefile.MarshalLine(h)
		if err == nil && !bytes.HasPrefix(line, content.rest) { // another file, which must not be overwritten
			err = &LogError{l.file.Name(), 1, errLogLine.Error()}
		}
	} else if d := content.header.describeDifference(h); d != "" {
		err = &LogError{l.file.Name(), 0, fmt.Sprintf("is the log of another %s: %s; name another folder", h.planKind(), d)}
	}
	if err == nil && content.size > content.whole {
		err = os.Truncate(l.file.Name(), content.whole)
	}
	if err == nil && content.header == nil {
		err = l.appendLine(h)
	}
	return content, err
}

// appendLine writes one line. About once a second it syncs the file to disk, so a power cut loses
// little.
func (l *Log) appendLine(data any) error {
	line, err := safefile.MarshalLine(data)
	if err != nil {
		return err
	}
	if _, err := l.file.Write(line); err != nil {
		return err
	}
	if time.Since(l.synced) < time.Second {
		return nil
	}
	return l.syncFile()
}

// syncFile syncs the file to disk. A file that cannot be synced, such as a pipe, is not an error.
func (l *Log) syncFile() error {
	l.synced = time.Now()
	if err := l.file.Sync(); err != nil && !errors.Is(err, fs.ErrInvalid) {
		return err
	}
	return nil
}

// maxLogLine bounds the memory for one line in a foreign file.
const maxLogLine = 1 << 20

// errLogLine reports a line that does not belong in a log.
var errLogLine = errors.New("invalid or damaged line of a log of games")

// logContent is a log's content.
type logContent[S any] struct {
	header  *Header // nil when there is none yet
	records []logRecord[S]
	damaged int    // damaged lines, whose spans are played again
	size    int64  // bytes of all lines
	whole   int64  // bytes of complete lines
	rest    []byte // incomplete last line; its end if it is long
}

// readLog reads the log with a name. It ignores an incomplete last line. Without a header in the first line
// the log cannot be continued, and the error is a [*LogError].
func readLog[S any](name string, r io.Reader) (*logContent[S], error) {
	lines, c := bufio.NewReaderSize(r, maxLogLine), new(logContent[S])
	for long := false; ; { // whether the line has more bytes than the buffer
		line, err := lines.ReadSlice('\n')
		c.size += int64(len(line))
		switch {
		case err == bufio.ErrBufferFull:
			long = true
		case err == io.EOF:
			c.rest = line
			return c, nil
		case err != nil:
			return c, err
		default:
			if long || c.addLine(line) != nil {
				c.damaged++
			}
			c.whole, long = c.size, false
		}
		if c.header == nil {
			return nil, &LogError{name, 1, errLogLine.Error()}
		}
	}
}

// addLine reads one line from a log: first its header, then spans.
func (c *logContent[S]) addLine(text []byte) error {
	data, err := safefile.UnmarshalLine(text)
	if err != nil {
		return err
	}
	if c.header == nil {
		h := new(Header)
		if err := json.Unmarshal(data, h); err != nil || !strings.Contains(h.Schema, schemaMark) {
			return cmp.Or(err, errLogLine)
		}
		c.header = h
		return nil
	}
	var r logRecord[S]
	if err := json.Unmarshal(data, &r); err != nil || r.Unit == nil {
		return cmp.Or(err, errLogLine)
	}
	c.records = append(c.records, r)
	return nil
}
