package play

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/internal/filelock"
)

// TournamentLog is a file that a tournament is written to while it is played: one line
// for its settings, and one for each part that is finished. Lines are only ever added,
// each by one write, and each carries a checksum, so that whatever ends the process at
// whatever moment, the file says what was finished. A last line that was not written
// whole is cut off when the file is opened again; of any other line that is damaged, the
// part of the tournament is played again. Only one process at a time has the log.
//
// A line is {"crc":"xxxxxxxx","data":...} with the CRC-32C of the bytes of data. The
// data of the first line are the settings, of schema ur.tournament-log/1; those of the
// others are {"unit":n,"score":{...}}.
type TournamentLog struct {
	name   string
	file   *os.File
	synced time.Time
}

// OpenTournamentLog opens a log, or begins one. It must be closed. A [*LogError] says that
// another process is playing the tournament.
func OpenTournamentLog(name string) (*TournamentLog, error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	if err := filelock.Lock(file); err != nil {
		if errors.Is(err, filelock.ErrLocked) {
			err = &LogError{File: name, Msg: "is in use: another process is playing this tournament; wait for it, or give this one a folder of its own"}
		}
		return nil, errors.Join(err, file.Close())
	}
	return &TournamentLog{name: name, file: file, synced: time.Now()}, nil
}

// Close closes the file.
func (l *TournamentLog) Close() error { return l.file.Close() }

// LogError says that a file is not the log of the tournament that is to be played, and
// why. The file is left as it was.
type LogError struct {
	File string
	Line int // from 1; 0 when no line is to blame
	Msg  string
}

func (e *LogError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s %s", e.File, e.Msg)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
}

// logHeader are the settings that decide what is played. Two tournaments whose headers
// are equal play the same games.
type logHeader struct {
	Schema    string      `json:"schema"` // ur.tournament-log/1
	Players   []logPlayer `json:"players"`
	Gauntlet  bool        `json:"gauntlet"`
	Games     int         `json:"games"` // of a pairing
	Seed      uint64      `json:"seed"`
	Pieces    int         `json:"pieces"`
	TurnLimit int         `json:"turn_limit"`
}

// logPlayer is a player by name, and by what stood behind the name.
type logPlayer struct {
	Name     string `json:"name"`
	Identity string `json:"identity,omitempty"` // see [Identity]
}

const logSchema = "ur.tournament-log/1"

// header returns the settings of a tournament.
func (c TournamentConfig) header(ctx context.Context) (logHeader, error) {
	h := logHeader{
		Schema: logSchema, Gauntlet: c.Gauntlet, Games: c.Games, Seed: c.Seed, Pieces: c.Pieces, TurnLimit: c.TurnLimit,
	}
	for _, p := range c.Players {
		identity, err := Identity(ctx, p, c.Pieces)
		if err != nil {
			return h, err
		}
		h.Players = append(h.Players, logPlayer{p.Name(), identity})
	}
	return h, nil
}

// difference says how the settings of another tournament differ, or nothing.
func (h logHeader) difference(other logHeader) string {
	switch {
	case !slices.Equal(h.Players, other.Players):
		return fmt.Sprintf("its players are %v, or were then, not %v", h.Players, other.Players)
	case h.Gauntlet != other.Gauntlet:
		return fmt.Sprintf("gauntlet is %v, not %v", h.Gauntlet, other.Gauntlet)
	case h.Games != other.Games:
		return fmt.Sprintf("it has %d games a pairing, not %d", h.Games, other.Games)
	case h.Seed != other.Seed:
		return fmt.Sprintf("its seed is %d, not %d", h.Seed, other.Seed)
	case h.Pieces != other.Pieces:
		return fmt.Sprintf("it is of %d pieces, not %d", h.Pieces, other.Pieces)
	case h.TurnLimit != other.TurnLimit:
		return fmt.Sprintf("its turn limit is %d, not %d", h.TurnLimit, other.TurnLimit)
	}
	return ""
}

// String returns the name, and the identity if there is one.
func (p logPlayer) String() string {
	if p.Identity == "" {
		return p.Name
	}
	return p.Name + " (" + p.Identity + ")"
}

// logRecord is a part of the tournament that is finished.
type logRecord struct {
	Unit  int   `json:"unit"`
	Score Score `json:"score"`
}

// logLine is a line of the file.
type logLine struct {
	CRC  string          `json:"crc"`
	Data json.RawMessage `json:"data"`
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum returns the CRC of data as a line has it.
func checksum(data []byte) string { return fmt.Sprintf("%08x", crc32.Checksum(data, castagnoli)) }

// begin reads what the log has of a tournament, cuts off a line that was not written
// whole, and makes the file ready to go on. It refuses the log of another tournament.
func (l *TournamentLog) begin(h logHeader) (*logContent, error) {
	if _, err := l.file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	content, err := readLog(l.file)
	var damaged *LogError
	if errors.As(err, &damaged) {
		damaged.File = l.name
	}
	if err != nil {
		return nil, err
	}
	info, err := l.file.Stat()
	if err != nil {
		return nil, err
	}
	if content.header == nil {
		if err := l.checkBeginning(h, info.Size()); err != nil {
			return nil, err
		}
	}
	if info.Size() > content.whole {
		if err := os.Truncate(l.name, content.whole); err != nil {
			return nil, err
		}
	}
	if content.header == nil {
		return content, l.append(h)
	}
	if d := content.header.difference(h); d != "" {
		return nil, &LogError{l.name, 0, "is the log of another tournament: " + d + "; give this one a folder of its own"}
	}
	return content, nil
}

// checkBeginning makes sure that a file without a whole header is the beginning of
// one, and not something else that would be lost.
func (l *TournamentLog) checkBeginning(h logHeader, size int64) error {
	line, err := marshalLine(h)
	if err != nil {
		return err
	}
	text := make([]byte, min(size, int64(len(line))))
	if _, err := l.file.ReadAt(text, 0); err != nil {
		return err
	}
	if size > int64(len(line)) || !bytes.HasPrefix(line, text) {
		return &LogError{l.name, 1, errLogLine.Error()}
	}
	return nil
}

// append writes one line. About once a second it waits until the file is on the disk,
// so that even a power cut costs little.
func (l *TournamentLog) append(data any) error {
	line, err := marshalLine(data)
	if err != nil {
		return err
	}
	if _, err := l.file.Write(line); err != nil {
		return err
	}
	if time.Since(l.synced) < time.Second {
		return nil
	}
	return l.sync()
}

// sync waits until the file is on the disk. What cannot be waited for, such as a pipe,
// is no error.
func (l *TournamentLog) sync() error {
	l.synced = time.Now()
	if err := l.file.Sync(); err != nil && !errors.Is(err, fs.ErrInvalid) {
		return err
	}
	return nil
}

// marshalLine returns the line of some data.
func marshalLine(data any) ([]byte, error) {
	text, err := json.Marshal(data)
	if err != nil {
		return nil, err
	}
	line, err := json.Marshal(logLine{checksum(text), text})
	return append(line, '\n'), err
}

// maxLogLine bounds the memory that one line of a foreign file can take.
const maxLogLine = 1 << 20

// errLogLine is what is wrong with a line that is not one of a log.
var errLogLine = errors.New("not a line of a tournament's log, or a damaged one")

// logContent is what a log holds.
type logContent struct {
	header  *logHeader // nil when there is none yet
	records []logRecord
	damaged int   // lines that are, of which the part is played again
	whole   int64 // bytes of the file that are whole lines
}

// readLog reads a log. A last line without its end was not written whole and does not
// count. Without a first line that is a header, there is nothing that could be gone on
// with: the error is then a [*LogError].
func readLog(r io.Reader) (*logContent, error) {
	lines := bufio.NewReaderSize(r, maxLogLine)
	c := new(logContent)
	var foreign error
	for number := 1; ; number++ {
		line, err := lines.ReadSlice('\n')
		size := int64(len(line))
		long := errors.Is(err, bufio.ErrBufferFull)
		for errors.Is(err, bufio.ErrBufferFull) { // no line is as long as that
			var rest []byte
			rest, err = lines.ReadSlice('\n')
			size += int64(len(rest))
		}
		switch {
		case err == io.EOF:
			return c, nil
		case err != nil:
			return nil, err
		case foreign != nil:
			return nil, foreign // it was not the last line
		case long || c.add(line) != nil:
			c.damaged++
		}
		c.whole += size
		if c.header == nil {
			foreign = &LogError{Line: number, Msg: errLogLine.Error()}
			c.whole, c.damaged = 0, 0
		}
	}
}

// add reads one line of a log. A second header that is the same as the first does no
// harm: two processes once began the log together.
func (c *logContent) add(text []byte) error {
	var line logLine
	if err := json.Unmarshal(text, &line); err != nil {
		return err
	}
	if checksum(line.Data) != line.CRC {
		return errLogLine
	}
	var kind struct{ Schema string }
	if err := json.Unmarshal(line.Data, &kind); err != nil {
		return err
	}
	if c.header == nil || kind.Schema != "" {
		return c.addHeader(line.Data)
	}
	var r logRecord
	if err := json.Unmarshal(line.Data, &r); err != nil {
		return err
	}
	c.records = append(c.records, r)
	return nil
}

// addHeader reads a header.
func (c *logContent) addHeader(data []byte) error {
	h := new(logHeader)
	if err := json.Unmarshal(data, h); err != nil {
		return err
	}
	if h.Schema != logSchema || c.header != nil && c.header.difference(*h) != "" {
		return errLogLine
	}
	c.header = h
	return nil
}
