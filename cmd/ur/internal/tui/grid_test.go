package tui

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/play"
)

// drawnSizes are those at which boards are drawn.
var drawnSizes = []Grid{
	{Rules: board.Finkel(), Margin: 2, Width: 6, Height: 2, Path: true},
	{Rules: board.Finkel(), Margin: 2, Width: 9, Height: 3, Path: true},
	{Rules: board.Finkel(), Margin: 2, Width: 11, Height: 6, Path: true},
}

// narrow is the size of tiles of long boards.
var narrow = []Grid{{Margin: 2, Width: 3, Height: 2}, {Margin: 2, Width: 3, Height: 2, Path: true}}

// Colour must add nothing but colour: without its escape codes the board is the plain one.
// ASCII must keep to its letters, and say as much.
func TestGrid(t *testing.T) {
	for _, p := range engine.EdgePositions() {
		for roll := range board.FinkelRoll + 1 {
			for i, g := range drawnSizes {
				if testkit.Long() || (i+roll)%len(drawnSizes) == 0 { // each size with some rolls
					checkStyles(t, g, p, roll)
				}
			}
		}
	}
}

// The board of every rule set is drawn with all its pieces, rosettes and moves.
func TestGridOfRuleSets(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, r := range board.List()[1:] {
		for range testkit.Trials(7, 20) {
			p, roll := r.Random(rng, r.Pieces()), 1+rng.IntN(r.MaxRoll())
			for _, g := range drawnSizes {
				g.Rules = r
				checkStyles(t, g, p, roll)
			}
			for _, g := range narrow {
				if g.Rules = r; r.Rows() > 8 {
					checkStyles(t, g, p, roll)
				}
			}
		}
	}
}

// A board without gaps shows the pieces in hand and home below it.
func TestGridWithoutGaps(t *testing.T) {
	r := testkit.Must(board.New(board.Definition{
		Name: "full", Board: []string{"###", "###", "###"}, Light: strings.Fields("A2 A1 B1 B2 B3 A3"),
		Rosettes: []string{"B2"}, Pieces: 2, Dice: []int{1, 2, 1}, RollAfterRosette: true,
	}))(t)
	g := Grid{Style: NewStyle(false, true), Rules: r, Position: r.Start(), Margin: 2, Width: 6, Height: 2}
	drawn := strings.Join(g.Draw(), "\n")
	testkit.Equal(t, 1+strings.Count(drawn, "\n"), g.Lines(), "lines of\n%s", drawn)
	testkit.WantText(t, drawn, "Light: hand 2, home 0", "Dark: hand 2, home 0")
}

// escape matches an escape code of colours.
var escape = regexp.MustCompile("\x1b\\[[0-9;]*m")

// checkStyles checks a position and its moves in every style.
func checkStyles(t *testing.T, g Grid, p board.Position, roll int) {
	t.Helper()
	g.Position, g.Moves = p, g.Rules.Moves(nil, p, roll)
	if len(g.Moves) > 0 {
		g.Cursor = &g.Moves[roll%len(g.Moves)]
	}
	before := play.Turn{Position: p.Pass(), Moves: []board.Move{{From: 3, To: 5}, {From: 0, To: 4}}}
	g.Last = []play.Turn{before, before}
	g.Last[1].Choice = 1
	g.Style = NewStyle(true, false)
	colored := strings.Join(g.Draw(), "\n")
	g.Style = NewStyle(false, false)
	plain := strings.Join(g.Draw(), "\n")
	testkit.FatalIf(t, escape.MatchString(plain) || !escape.MatchString(colored) ||
		escape.ReplaceAllString(colored, "") != plain, "%v, roll %d:\n%s%s", p, roll, colored, plain)
	checkGrid(t, &g, plain)
	g.Style = NewStyle(false, true)
	ascii := strings.Join(g.Draw(), "\n")
	checkGrid(t, &g, ascii)
	testkit.FatalIf(t, strings.ContainsFunc(ascii, func(r rune) bool { return r > '~' }), "not ASCII:\n%s", ascii)
}

// checkGrid checks that every piece and every move of a position is drawn, in lines of one
// width, and that every point of it is what it shows.
func checkGrid(t *testing.T, g *Grid, drawn string) {
	t.Helper()
	p := g.Position
	lines := strings.Split(drawn, "\n")
	testkit.MustEqual(t, len(lines), g.Lines(), "lines of\n%s", drawn)
	for _, line := range lines {
		testkit.FatalIf(t, lipgloss.Width(line) > g.Columns(), "more than %d columns:\n%s", g.Columns(), drawn)
	}
	for side, glyph := range g.Style.Piece {
		want := p.Pieces()
		if g.moveTo(board.Side(side), g.Rules.Finish()) > 0 {
			want -= p.Home(board.Side(side))
		}
		if g.hasLargeTiles() { // pieces on tiles are large ones
			discs := strings.Count(drawn, " "+g.Style.Disc[side][0]+" ")
			if g.Style.Disc[0][0] == g.Style.Disc[1][0] { // of both sides
				discs -= p.Pieces() - p.Hand(board.Side(side).Other()) - p.Home(board.Side(side).Other())
			}
			on := p.Pieces() - p.Hand(board.Side(side)) - p.Home(board.Side(side))
			testkit.Equal(t, discs, on, "large pieces of %s in\n%s", board.Side(side), drawn)
			if glyph == "#" {
				continue // large pieces are of the same sign
			}
			want -= discs
		}
		if glyph != "o" {
			testkit.Equal(t, strings.Count(drawn, glyph), want, "pieces of %s in\n%s", board.Side(side), drawn)
		}
	}
	r := g.Rules
	rosettes := len(r.Definition().Rosettes)
	for _, m := range g.Moves {
		if g.Width < 5 && r.IsRosette(int(m.To)) {
			rosettes-- // the number of the move stands there
		}
	}
	testkit.Equal(t, strings.Count(drawn, g.Style.Rosette), rosettes, "rosettes in\n%s", drawn)
	for i := range r.Pieces() {
		number := "(" + string(rune('1'+i)) + ")"
		n := strings.Count(drawn, number)
		testkit.ErrorIf(t, (n == 1) != (i < len(g.Moves)), "%v, %d moves: %s is drawn %d times:\n%s",
			p, len(g.Moves), number, n, drawn)
		if i < len(g.Moves) {
			checkPoint(t, g, lines, number, g.Moves[i])
		}
	}
}

// checkPoint checks that where the number of a move stands is where the move ends.
func checkPoint(t *testing.T, g *Grid, lines []string, number string, m board.Move) {
	t.Helper()
	for y, line := range lines {
		x := strings.Index(line, number)
		if x < 0 {
			continue
		}
		_, to := g.Ends(lipgloss.Width(line[:x]), y, m)
		testkit.ErrorIf(t, !to, "%s is beside the end of the move:\n%s", number, strings.Join(lines, "\n"))
	}
}

// A point is on a tile, in the hand or home of a side, or beside all of them.
func TestEnds(t *testing.T) {
	g := drawnSizes[0]
	move := func(p board.Position, from, to uint8) func(x, y int) (bool, bool) {
		return func(x, y int) (bool, bool) { g.Position = p; return g.Ends(x, y, board.Move{From: from, To: to}) }
	}
	light, dark := board.Finkel().Start(), board.Finkel().Start().Pass()
	for _, test := range []struct {
		ends     func(x, y int) (from, to bool)
		x, y     int
		from, to bool
	}{
		{move(dark, 0, 4), 3, 2, false, true}, {move(light, 0, 4), 3, 2, false, false},
		{move(light, 5, 14), 5, 6, true, false}, {move(light, 5, 14), 57, 9, false, false},
		{move(light, 5, 13), 57, 8, false, true}, {move(dark, 0, 4), 32, 2, true, false},
		{move(dark, 0, 4), 32, 3, false, false},
		{move(light, 14, 15), 40, 9, false, true}, {move(light, 14, 15), 40, 8, false, false},
		{move(dark, 14, 15), 40, 9, false, false},
	} {
		from, to := test.ends(test.x, test.y)
		testkit.Equal(t, [2]bool{from, to}, [2]bool{test.from, test.to},
			"whether a move begins or ends at %d, %d", test.x, test.y)
	}
	for _, point := range [][2]int{{0, 0}, {1, 3}, {2, 3}, {5, 1}, {5, 2 + 2}, {59, 3}, {5, 11}, {-5, -5}, {500, 500}} {
		from, to := move(dark, 0, 4)(point[0], point[1])
		testkit.ErrorIf(t, from || to, "at %v a move ends", point)
	}
}

// The encoding is that of the first variable that is set.
func TestUTF8(t *testing.T) {
	for _, test := range []struct {
		all, ctype, lang string
		want             bool
	}{
		{"", "", "", true}, {"", "", "C", false}, {"", "", "C.UTF-8", true}, {"", "", "de_DE.utf8", true},
		{"POSIX", "", "C.UTF-8", false},
		{"", "en_US.ISO-8859-1", "C.UTF-8", false}, {"", "", "en_US", false},
	} {
		t.Setenv("LC_ALL", test.all)
		t.Setenv("LC_CTYPE", test.ctype)
		t.Setenv("LANG", test.lang)
		testkit.Equal(t, UTF8(), test.want, "UTF-8 in %+v", test)
	}
}
