package train

import (
	"bufio"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/reversi/board"
)

// Line returns a game as a line of a log: its number, the number of its first teaching move,
// the score for Black, the moves, and a checksum.
func (g Game) Line(number uint64) string {
	r := board.Record{From: board.StartPosition(), Moves: g.Moves}
	line := fmt.Sprintf("%d %d %+d %s", number, g.From, g.Score, r.Text())
	return fmt.Sprintf("%s %08x", line, crc32.ChecksumIEEE([]byte(line)))
}

// ParseLine reads a line of a log and checks its game.
func ParseLine(line string) (number uint64, g Game, err error) {
	body, sum, ok := cutLast(line)
	if !ok || sum != fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(body))) {
		return 0, g, fmt.Errorf("the line is damaged: its checksum differs")
	}
	f := strings.Fields(body)
	if len(f) != 4 {
		return 0, g, fmt.Errorf("%d fields before the checksum, want a number, the first move that teaches, the score and the moves", len(f))
	}
	if number, err = strconv.ParseUint(f[0], 10, 64); err != nil {
		return 0, g, fmt.Errorf("number of the game: %w", err)
	}
	r, err := board.ParseRecord(board.StartPosition(), f[3])
	if err != nil {
		return 0, g, err
	}
	end := r.End()
	score := end.Score()
	if end.Side == board.White {
		score = -score
	}
	g = Game{Moves: r.Moves, Score: score}
	if g.From, err = strconv.Atoi(f[1]); err != nil || g.From < 0 || g.From > len(g.Moves) {
		return 0, g, fmt.Errorf("the first move that teaches is %q: want 0 to %d", f[1], len(g.Moves))
	}
	if f[2] != fmt.Sprintf("%+d", score) || !end.Over() {
		return 0, g, fmt.Errorf("the game ends with %+d, over: %t; the line says %s", score, end.Over(), f[2])
	}
	return number, g, nil
}

func cutLast(line string) (before, after string, ok bool) {
	i := strings.LastIndexByte(line, ' ')
	if i < 0 {
		return line, "", false
	}
	return line[:i], line[i+1:], true
}

// readLog reads the games of a log that begins with head, in their order from 0 on. A last line
// without a newline is left from an interruption and ignored; size is the length of the intact
// part.
func readLog(from io.Reader, head string) (games []Game, size int64, err error) {
	in := bufio.NewReaderSize(from, 1<<16)
	for n := 0; ; n++ {
		line, err := in.ReadString('\n')
		if err == io.EOF {
			return games, size, nil
		}
		if err != nil {
			return games, size, err
		}
		text := strings.TrimSuffix(line, "\n")
		if n == 0 {
			if text != head {
				return games, size, fmt.Errorf("line 1: the log is of other training: it says %q, want %q", text, head)
			}
			size += int64(len(line))
			continue
		}
		number, g, err := ParseLine(text)
		if err == nil && number != uint64(len(games)) {
			err = fmt.Errorf("this is game %d, want %d", number, len(games))
		}
		if err != nil {
			return games, size, fmt.Errorf("line %d: %w", n+1, err)
		}
		games = append(games, g)
		size += int64(len(line))
	}
}
