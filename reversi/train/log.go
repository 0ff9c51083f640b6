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

// Line returns a game as a line of a log: its number, the numbers of its first teaching and its
// first solved position, the values between them, the scores from there on, the moves, and a
// checksum.
func (g Game) Line(number uint64) string {
	r := board.Record{From: board.StartPosition(), Moves: g.Moves}
	line := fmt.Sprintf("%d %d %d %s %s %s", number, g.From, g.Exact, numbers(g.Values), numbers(g.Scores), r.Text())
	return fmt.Sprintf("%s %08x", line, crc32.ChecksumIEEE([]byte(line)))
}

// numbers joins numbers by commas; "-" is none.
func numbers(list []int8) string {
	if len(list) == 0 {
		return "-"
	}
	var text []byte
	for i, n := range list {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, int64(n), 10)
	}
	return string(text)
}

// parseNumbers reads n scores from -64 to 64.
func parseNumbers(text string, n int) ([]int8, error) {
	var list []int8
	if text != "-" {
		for text := range strings.SplitSeq(text, ",") {
			score, err := strconv.Atoi(text)
			if err != nil || score < -64 || score > 64 {
				return nil, fmt.Errorf("score %q (want -64 to 64)", text)
			}
			list = append(list, int8(score))
		}
	}
	if len(list) != n {
		return nil, fmt.Errorf("%d scores (want %d)", len(list), n)
	}
	return list, nil
}

// ParseLine reads a line of a log and checks its game.
func ParseLine(line string) (number uint64, g Game, err error) {
	body, sum, ok := cutLast(line)
	if !ok || sum != fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(body))) {
		return 0, g, fmt.Errorf("the line is damaged: its checksum differs")
	}
	f := strings.Fields(body)
	if len(f) != 6 {
		return 0, g, fmt.Errorf("%d fields before the checksum (want a number, the first position that teaches, the first solved one, values, scores and moves)", len(f))
	}
	if number, err = strconv.ParseUint(f[0], 10, 64); err != nil {
		return 0, g, fmt.Errorf("number of the game: %w", err)
	}
	r, err := board.ParseRecord(board.StartPosition(), f[5])
	if err != nil {
		return 0, g, err
	}
	g.Moves = r.Moves
	if g.From, err = strconv.Atoi(f[1]); err != nil || g.From < 0 || g.From > len(g.Moves) {
		return 0, g, fmt.Errorf("first position that teaches: %q (want 0 to %d)", f[1], len(g.Moves))
	}
	if g.Exact, err = strconv.Atoi(f[2]); err != nil || g.Exact < g.From || g.Exact > len(g.Moves) {
		return 0, g, fmt.Errorf("first solved position: %q (want %d to %d)", f[2], g.From, len(g.Moves))
	}
	if f[3] != "-" {
		if g.Values, err = parseNumbers(f[3], g.Exact-g.From); err != nil {
			return 0, g, fmt.Errorf("values: %w", err)
		}
	}
	if g.Scores, err = parseNumbers(f[4], len(g.Moves)+1-g.Exact); err != nil {
		return 0, g, fmt.Errorf("scores: %w", err)
	}
	end := r.End()
	if last := g.Score(len(g.Moves)); !end.Over() || forBlack(end, end.Score()) != last {
		return 0, g, fmt.Errorf("the moves do not end the game with a score of %d", last)
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
				return games, size, fmt.Errorf("line 1: the log belongs to another training run: header %q (want %q)", text, head)
			}
			size += int64(len(line))
			continue
		}
		number, g, err := ParseLine(text)
		if err == nil && number != uint64(len(games)) {
			err = fmt.Errorf("this is game %d (want %d)", number, len(games))
		}
		if err != nil {
			return games, size, fmt.Errorf("line %d: %w", n+1, err)
		}
		games = append(games, g)
		size += int64(len(line))
	}
}
