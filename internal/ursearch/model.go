package ursearch

import (
	"math"

	"github.com/seed-09dcdc84/ur/board"
)

// model holds the constants of a [Curve] during fitting, for scores in units of scoreScale:
//
//	slope  = k[slopes] + k[slopes+1]*h + k[slopes+2]*g     h, g: pieces that both sides have home
//	logit  = slope*(F+S) + k[ownLeft+own-1] + k[oppLeft+opp-1]
//
// where S sums the constants of the squares (see [Squares]).
type model [constants]float64

// Where the constants stand.
const (
	slopes    = 0
	ownLeft   = slopes + 3
	oppLeft   = ownLeft + board.MaxPieces
	ownAt     = oppLeft + board.MaxPieces
	oppAt     = ownAt + board.Finish - 1
	homeAt    = oppAt + board.Finish - 1
	otherAt   = homeAt + board.Finish - 1
	constants = otherAt + board.Finish - 1

	// plainConstants are the constants of a curve without squares.
	plainConstants = ownAt
)

// scoreScale is the unit of scores in a fit.
const scoreScale = 1024

// term is a constant and its factor in S.
type term struct {
	at uint8
	by float64
}

// terms of S at a position: three for each piece on the board.
func terms(list []term, w word) []term {
	own, opp := w.left()
	h, g := float64(board.MaxPieces-own), float64(board.MaxPieces-opp)
	for square := 1; square < board.Finish; square++ {
		i := uint8(square - 1)
		if w.own()>>(square+startBit)&1 != 0 {
			list = append(list, term{ownAt + i, 1}, term{homeAt + i, h}, term{otherAt + i, g})
		}
		if w.opp()>>(square+startBit)&1 != 0 {
			list = append(list, term{oppAt + i, 1}, term{homeAt + i, -g}, term{otherAt + i, -h})
		}
	}
	return list
}

// chance returns the probability to win of the side to move, by its score without squares.
func (k *model) chance(w word, score int32) float64 {
	if w.over() {
		return Win(result(w))
	}
	var room [6 * board.MaxPieces]term
	slope, corrected, offset := k.parts(w, score, terms(room[:0], w))
	return 1 / (1 + math.Exp(-float64(slope*corrected)-offset))
}

// parts returns slope, F+S and offset.
func (k *model) parts(w word, score int32, list []term) (slope, corrected, offset float64) {
	own, opp := w.left()
	corrected = float64(score) / scoreScale
	for _, t := range list {
		corrected += float64(k[t.at] * t.by)
	}
	return k.slope(own, opp), corrected, k.offset(own, opp)
}

func (k *model) slope(own, opp int) float64 {
	return k[slopes] + float64(k[slopes+1]*float64(board.MaxPieces-own)) + float64(k[slopes+2]*float64(board.MaxPieces-opp))
}

func (k *model) offset(own, opp int) float64 { return k[ownLeft+own-1] + k[oppLeft+opp-1] }

// gradient adds to g how the probability changes with each constant, times by, and returns the
// probability.
func (k *model) gradient(g []float64, w word, score int32, by float64) float64 {
	if w.over() {
		return Win(result(w))
	}
	var room [6 * board.MaxPieces]term
	list := terms(room[:0], w)
	slope, corrected, offset := k.parts(w, score, list)
	win := 1 / (1 + math.Exp(-float64(slope*corrected)-offset))
	own, opp := w.left()
	by *= win * (1 - win)
	add := func(i int, x float64) {
		if i < len(g) {
			g[i] += float64(by * x)
		}
	}
	add(slopes, corrected)
	add(slopes+1, corrected*float64(board.MaxPieces-own))
	add(slopes+2, corrected*float64(board.MaxPieces-opp))
	add(ownLeft+own-1, 1)
	add(oppLeft+opp-1, 1)
	for _, t := range list {
		add(int(t.at), slope*t.by)
	}
	return win
}

// curve returns the constants as a curve, those of squares rounded.
func (k *model) curve() *Curve {
	c := new(Curve)
	for own := 1; own <= board.MaxPieces; own++ {
		for opp := 1; opp <= board.MaxPieces; opp++ {
			c.Lines[own][opp] = Line{k.slope(own, opp) / scoreScale, k.offset(own, opp)}
		}
	}
	rounded := func(x float64) int32 {
		return int32(max(-maxSquare, min(maxSquare, math.RoundToEven(float64(x*scoreScale)))))
	}
	for square := 1; square < board.Finish; square++ {
		i := square - 1
		c.Squares.Own[square], c.Squares.Opp[square] = rounded(k[ownAt+i]), rounded(k[oppAt+i])
		c.Squares.Home[square], c.Squares.Other[square] = rounded(k[homeAt+i]), rounded(k[otherAt+i])
	}
	return c
}
