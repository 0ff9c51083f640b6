package train

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"

	"github.com/seed-09dcdc84/ur/reversi/board"
)

// Sizes in WTHOR files (.wtb): a head, and then for each game its players
// and scores, and 60 moves.
const (
	wthorHead  = 16
	wthorGame  = 68
	wthorScore = 6 // where Black's discs are
	wthorMoves = 8 // where the moves of a game begin
)

// ReadWTHOR reads an archive's games in the WTHOR base's format, as published by the
// French federation: squares are ten times the row plus the column, both from 1, and passes are
// left out. A game that ends early by forfeit or on time teaches nothing and is left out. An
// illegal game is an error, and so are moves behind the end of the list and a finished game with another count of discs.
func ReadWTHOR(from io.Reader) ([]Game, error) {
	file, err := io.ReadAll(from)
	if err != nil {
		return nil, err
	}
	if len(file) < wthorHead {
		return nil, fmt.Errorf("wthor: the file ends within its header of %d bytes (want a .wtb file)", wthorHead)
	}
	n := binary.LittleEndian.Uint32(file[4:])
	if size := file[12]; size != 0 && size != 8 {
		return nil, fmt.Errorf("wthor: board of size %d (want 8)", size)
	}
	if n > 10_000_000 {
		return nil, fmt.Errorf("wthor: not a .wtb file: %d games in the header", n)
	}
	var games []Game
	file = file[wthorHead:]
	for i := range n {
		if len(file) < wthorGame {
			return games, fmt.Errorf("wthor: game %d of %d: the file is truncated", i+1, n)
		}
		g, over, err := wthorRecord(file[:wthorGame])
		file = file[wthorGame:]
		if err != nil {
			return games, fmt.Errorf("wthor: game %d: %w", i+1, err)
		}
		if over {
			games = append(games, g)
		}
	}
	if len(file) > 0 {
		return games, fmt.Errorf("wthor: data after the %d games of the header", n)
	}
	return games, nil
}

// FormatWTHOR returns an archive of games from the first move on in the WTHOR base's format, without names of players
// and tournaments.
func FormatWTHOR(games []board.Record) []byte {
	text := make([]byte, wthorHead, wthorHead+wthorGame*len(games))
	binary.LittleEndian.PutUint32(text[4:], uint32(len(games)))
	text[12] = 8
	for _, g := range games {
		record := make([]byte, 0, wthorGame)
		record = append(record, make([]byte, wthorMoves)...)
		for _, s := range g.Moves {
			if s != board.Pass {
				record = append(record, byte(10*(s/8+1)+s%8+1))
			}
		}
		p := g.End()
		record[wthorScore] = byte(32 + p.ValueFor(board.Black, p.Score())/2)
		text = append(text, record[:wthorGame]...)
	}
	return text
}

// wthorRecord reads a game's moves and reports whether they are complete.
func wthorRecord(record []byte) (g Game, over bool, err error) {
	r := g.record()
	p := r.From
	moves := record[wthorMoves:]
	for i, code := range moves {
		if code == 0 {
			if more := bytes.TrimLeft(moves[i:], "\x00"); len(more) > 0 {
				return g, false, fmt.Errorf("move %d: square 0 before another move, %d (want 11 to 88)", i+1, more[0])
			}
			break
		}
		row, column := int(code)/10-1, int(code)%10-1
		if row < 0 || row > 7 || column < 0 || column > 7 {
			return g, false, fmt.Errorf("move %d: invalid square %d", i+1, code)
		}
		if p, err = r.AddFrom(p, board.SquareAt(column, row)); err != nil {
			return g, false, fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	score := p.ValueFor(board.Black, p.Score())
	g.Moves, g.Exact, g.Scores = r.Moves, len(r.Moves), []int8{int8(score)}
	// Some programs do not give the empty squares to the winner.
	discs := int(record[wthorScore])
	if whole, plain := 32+score/2, bits.OnesCount64(p.Black()); p.Over() && discs != whole && discs != plain {
		return g, false, fmt.Errorf("%d discs of Black (want %d, as the moves say)", discs, whole)
	}
	return g, p.Over(), nil
}
