package solve

import (
	"errors"
	"fmt"
	"sort"

	"github.com/seed-09dcdc84/ur/board"
)

// key returns the key of a position that the opponent has not won.
func (o *rguOrder) key(ownHand, oppHand int, own, opp row) uint32 {
	word := o.word[finkel.pair(finkel.sharedOf(own), finkel.sharedOf(opp))]
	return o.run(ownHand, oppHand, rguSafe[finkel.safeOf(own)], int(word)).key | uint32(rguSafe[finkel.safeOf(opp)])
}

// keyOf returns the key of a position for tables of a number of pieces. Either side
// may be to move, and more pieces be in play if the rest of them are home.
func (o *rguOrder) keyOf(p board.Position) (uint32, error) {
	me, you := p.Turn(), p.Turn().Other()
	switch left := max(p.Pieces()-p.Home(me), p.Pieces()-p.Home(you)); {
	case left > o.pieces:
		return 0, fmt.Errorf("%d pieces left (want at most %d)", left, o.pieces)
	case p.Home(you) == p.Pieces():
		return 0, errors.New("the side to move has lost: such positions have no key")
	}
	return o.key(p.Hand(me), p.Hand(you), finkelRow(p.Squares(me)), finkelRow(p.Squares(you))), nil
}

// position returns the position of a key, with Light to move.
func (o *rguOrder) position(key uint32) (board.Position, error) {
	word := int(key >> rguSafeBits & (1<<o.wordBits - 1))
	rest := key >> (rguSafeBits + o.wordBits)
	ownSafe, ownHand, oppHand := uint8(rest&63), int(rest>>9), int(rest>>6&7)
	if ownHand > o.pieces || oppHand > o.pieces || word >= len(o.sets) {
		return board.Position{}, o.keyError(key)
	}
	run := o.run(ownHand, oppHand, ownSafe, word)
	i := sort.Search(len(run.oppSafe), func(i int) bool { return run.oppSafe[i] >= uint8(key&63) })
	if i == len(run.oppSafe) || run.key|uint32(run.oppSafe[i]) != key {
		return board.Position{}, o.keyError(key)
	}
	squares := [2]uint32{finkel.squares(run.own), finkel.squares(run.opp(i))}
	home := [2]int{o.pieces - ownHand - run.own.pieces(), o.pieces - oppHand - run.opp(i).pieces()}
	if home[0] < 0 {
		return board.Position{}, o.keyError(key)
	}
	return board.Finkel().FromSquares(o.pieces, board.Light, squares, home)
}

// keyError refuses a key.
func (o *rguOrder) keyError(key uint32) error {
	return fmt.Errorf("%#08x is not the key of a position of %d pieces", key, o.pieces)
}
