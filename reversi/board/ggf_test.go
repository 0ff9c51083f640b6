package board

import (
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

const ggfStart = "BO[8 ---------------------------O*------*O--------------------------- *]"

func TestParseGGF(t *testing.T) {
	for text, want := range map[string]string{
		`(;GM[Othello]PC[a#b]PB[X Y]` + ggfStart + `B[F5//2.4]W[D6/0.00]B[C3];)`: "f5d6c3",
		`(;GM[Othello]B[f5];)`: "f5",
	} {
		testkit.Equal(t, testkit.Must(ParseGGF(text))(t).Text(), want, "%s", text)
	}
	passed := "f5f6d3g5h5h4f7h6" // Black must pass
	r := testkit.Must(ParseRecord(StartPosition(), passed))(t)
	position := "BO[8 " + r.End().Text() + " *]"
	for _, moves := range []string{"B[PA]W[C5]", "W[C5]"} {
		testkit.Equal(t, len(testkit.Must(ParseGGF("(;"+position+moves+";)"))(t).Moves), 2, "moves of %s", moves)
	}
	for text, want := range map[string]string{
		"(;GM[Go]B[F5];)": `GGF, GM: game "Go" (want Othello)`, "(;BO[10 *];)": "GGF, BO: board", "(;BO[8 ];)": "GGF, BO: board",
		"(;BO[8 x *];)": "GGF, BO: board has 1 squares", "(;B[F5]B[D6];)": "GGF, B: white is to move", "(;B[A1];)": "GGF, B: move 1: a1 turns",
		"(;B[Z9];)": "GGF, B: invalid square",
	} {
		testkit.WantError(t, testkit.ErrorOf(ParseGGF(text)), want, "%s", text)
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
