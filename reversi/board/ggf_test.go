package board

import (
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

const ggfStart = "BO[8 ---------------------------O*------*O--------------------------- *]"

// parseGGF reads the only game of a line.
func parseGGF(text string) (r Record, err error) {
	games, err := ParseGGFs(text)
	if len(games) == 1 {
		r = games[0]
	}
	return r, err
}

func TestParseGGF(t *testing.T) {
	for text, want := range map[string]string{
		`(;GM[Othello]PC[a#b]PB[X Y]` + ggfStart + `B[F5//2.4]W[D6/0.00]B[C3];)`: "f5d6c3",
		`(;GM[Othello]B[f5];)`: "f5",
	} {
		testkit.Equal(t, testkit.Must(parseGGF(text))(t).Text(), want, "%s", text)
	}
	passed := "f5f6d3g5h5h4f7h6" // Black must pass
	r := testkit.Must(ParseRecord(StartPosition(), passed))(t)
	position := "BO[8 " + r.End().Text() + " *]"
	for _, moves := range []string{"B[PA]W[C5]", "W[C5]"} {
		testkit.Equal(t, len(testkit.Must(parseGGF("(;"+position+moves+";)"))(t).Moves), 2, "moves of %s", moves)
	}
	for text, want := range map[string]string{
		"(;GM[Go]B[F5];)": `GGF, GM: game "Go" (want Othello)`, "(;BO[10 *];)": "GGF, BO: board", "(;BO[8 ];)": "GGF, BO: board",
		"(;BO[8 x *];)": "GGF, BO: board has 1 squares", "(;B[F5]B[D6];)": "GGF, B: white is to move", "(;B[A1];)": "GGF, B: move 1: a1 turns",
		"(;B[Z9];)": "GGF, B: invalid square",
		// What is cut or damaged is no shorter game.
		"(;B[F5]W[d6":        `GGF: "W[d6" behind "B[F5]" is no property`,
		"(;B[F5]W[D6]":       `GGF: the line ends behind "W[D6]" without ";)"`,
		"(;B[F5]W[D6])":      `GGF: ")" behind "W[D6]" is no property`,
		"(;rubbish":          `GGF: "rubbish" behind "(;" is no property`,
		"(;b[f5]w[d6];)":     "is no property (want one such as B[D3]",
		"(;B[F5] or W[D6];)": `GGF: "or W[D6];)" behind "B[F5]" is no property`,
		"(;B[F5](;B[F5];)":   `GGF: "(;B[F5];)" behind "B[F5]" is no property`,
		"B[F5];)":            "begins no game",

		"(;B[F5]" + ggfStart + ";)":        "GGF, BO: a second board, or one behind a move",
		"(;" + ggfStart + ggfStart + ";)":  "GGF, BO: a second board",
		"(;GM[Othello]" + ggfStart[:20]:    "is no property",
		"(;GM[Othello]" + ggfStart + "B[ ": "is no property",
	} {
		testkit.WantError(t, testkit.ErrorOf(parseGGF(text)), want, "%s", text)
	}
}

// A line of the server's archives holds one game, or those of a match on several boards.
func TestParseGGFs(t *testing.T) {
	const one, other = "(;GM[Othello]B[f5]; W[d6] ;)", "(;GM[Othello]B[c4];)"
	for line, want := range map[string][]string{
		one: {"f5d6"}, "1 " + one + "\r\n": {"f5d6"}, "2 " + one + other: {"f5d6", "c4"}, "": nil,
		one + " " + other + " # two": {"f5d6", "c4"},
	} {
		var got []string
		for _, r := range testkit.Must(ParseGGFs(line))(t) {
			got = append(got, r.Text())
		}
		testkit.Equal(t, got, want, "games of %q", line)
		testkit.Equal(t, IsGGF(line), want != nil, "%q begins a game", line)
	}
	for line, want := range map[string]string{
		"2 " + one: "GGF: 1 games on the line (want 2", one + "x": `GGF: "x" begins no game`, one + other[:9]: "is no property",
		"7": "want 7",
	} {
		testkit.WantError(t, testkit.ErrorOf(ParseGGFs(line)), want, "%q", line)
	}
}

func TestFormsOfRecords(t *testing.T) {
	for _, text := range []string{"f5d6c3d3", "1. f5 d6 2. c3 d3", "1.f5 d6 2.c3 d3", "f5-d6-c3-d3", "f5,d6,c3,d3", "F5 D6; C3 D3\r\n", "f5 - d6 - c3 - d3"} {
		testkit.Equal(t, testkit.Must(ParseRecord(StartPosition(), text))(t).Text(), "f5d6c3d3", "%q", text)
	}
	for _, pass := range []string{"Pa", "PA", "pass", "Pass", "PASS", "--", "-pa-", "- Ps -", ""} {
		r, err := ParseRecord(StartPosition(), "f5f6d3g5h5h4f7h6"+pass+"c5")
		testkit.ErrorIf(t, err != nil || len(r.Moves) != 10, "pass as %q: %s, %v", pass, r.Text(), err)
	}
	for _, text := range []string{"f5-", "12", "1. f5 7", "f5 pax", "f5 --"} {
		_, err := ParseRecord(StartPosition(), text)
		testkit.ErrorIf(t, (err == nil) != (text == "f5-"), "%q: %v", text, err)
	}
}
