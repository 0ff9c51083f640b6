package protocol

import (
	"context"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func session() *Session {
	return &Session{Name: "test", Player: func() (reversi.Player, error) {
		return reversi.ParsePlayer("greedy", reversi.Env{})
	}}
}

// answer returns what a session answers.
func answer(t testing.TB, s *Session, in string) string {
	return testkit.Written(t, func(w io.Writer) error { return s.GTP(context.Background(), strings.NewReader(in), w) })
}

func converse(t testing.TB, in string) (*Session, string) {
	s := session()
	return s, answer(t, s, in)
}

func TestGTP(t *testing.T) {
	_, out := converse(t, strings.Join([]string{
		"1 protocol_version", "name", "boardsize 8", "clear_board", "play black f5", "play b d6 # no", "undo", "3 play black d6", "boardsize 9",
		"play white d6", "known_command genmove", "known_command jump", "time_settings 60 0 0", "time_left black 10 0", "genmove black", "final_score", "", "7", "play white", "quit", "name",
	}, "\n"))
	answers := strings.Split(strings.TrimSuffix(out, "\n\n"), "\n\n")
	want := []string{`=1 2`, `= test`, `= `, `= `, `= `, `\? illegal move: white is to move`, `= `, `=3 .*`, `\? unacceptable size`, `.*`, `= true`, `= false`, `= `, `= `, `= [a-h][1-8]`, `\? cannot score: the game is not over`, `\?7 no command`, `\? syntax error.*`, `= `}
	// Behind the undo Black is to move: d6 is no move of Black's, so White's d6 fails too.
	want[7], want[9] = `\?3 illegal move: .*`, `\? illegal move: black is to move`
	testkit.MustEqual(t, len(answers), len(want), "the number of the answers %q", answers)
	for i, a := range answers {
		testkit.ErrorIf(t, !regexp.MustCompile(`^`+want[i]+`$`).MatchString(a),
			"answer %d is %q, want %s", i+1, a, want[i])
	}
}

// An undo takes back a move with the pass that the command of the move implied, and a pass that was
// played alone. A move that is only asked for leaves the game alone.
func TestGTPUndoesImpliedPasses(t *testing.T) {
	moves := ""
	for i, m := range []string{"f5", "f6", "d3", "g5", "h5", "h4", "f7", "h6"} { // Black must pass
		moves += "play " + [2]string{"black", "white"}[i%2] + " " + m + "\n"
	}
	for commands, want := range map[string]int{
		"genmove white\nundo\n":                                     8,
		"play white c5\nundo\n":                                     8,
		"play white c5\nundo\nundo\n":                               7,
		"play black pass\nplay white c5\nundo\n":                    9,
		"play white pass\nundo\n":                                   8,
		"reg_genmove white\nplay black pass\ngenmove white\nundo\n": 9,
		"time_settings 60 0 0\nreg_genmove white\n":                 8,
		"time_settings 60 0 0\nreg_genmove black\n":                 8,
		"reg_genmove red\n":                                         8,
	} {
		s, out := converse(t, moves+commands)
		testkit.Equal(t, len(s.record.Moves), want, "moves that %q leaves: %s", commands, out)
	}
}

// A game may begin with any position. A bad one changes nothing.
func TestGTPSetsUpPositions(t *testing.T) {
	p := testkit.Must(board.ParseRecord(board.StartPosition(), "f5f6d3g5h5h4f7h6"))(t).End() // X must pass
	_, out := converse(t, "play black f5\nsetboard "+p.String()+"\nplay white c5\nundo\nundo\nsetboard x X\nsetboard\nplay white c5\nclear_board\nplay black f5\n")
	want := "= \n\n= \n\n= \n\n= \n\n? cannot undo\n\n? board has 1 squares (want 64)\n\n? syntax error (want 64 squares of X, O and -, and the side to move)\n\n= \n\n= \n\n= \n\n"
	testkit.Equal(t, out, want, "answers")
}

// A board says whose move it is, or who has won.
func TestShowboardOfAFinishedGame(t *testing.T) {
	full := strings.Repeat("X", 40) + strings.Repeat("O", 24)
	for position, want := range map[string]string{
		full + " O": "\nthe game is over: black wins by 16\n\n", board.StartPosition().String(): "\nblack to move\n\n",
	} {
		out := answer(t, session(), "setboard "+position+"\nshowboard\n")
		testkit.ErrorIf(t, !strings.HasSuffix(out, want), "%s: %q (want %q at the end)", position, out, want)
	}
}

func TestLongLinesAreToldOf(t *testing.T) {
	long := strings.Repeat("x", process.MaxLine+10)
	const refused = "? the line is longer than 1048576 bytes\n\n"
	testkit.Equal(t, answer(t, session(), long+"\nname\n"), refused+"= test\n\n", "GTP")
	testkit.Equal(t, answer(t, session(), long), refused, "without an end of the line")
	out := answer(t, session(), long[:process.MaxLine/2]+"\n")
	testkit.ErrorIf(t, len(out) > 100, "a long line is given back: %d bytes", len(out))
}

// A whole game by GTP, both sides by genmove, with passes where they must be, has a score.
func TestGTPPlaysAWholeGame(t *testing.T) {
	s, out := converse(t, strings.Repeat("genmove black\ngenmove white\n", 70)+"final_score\n")
	testkit.ErrorIf(t, !s.record.End().Over() || !regexp.MustCompile(`= ([BW]\+[0-9]+|0)\n\n$`).MatchString(out),
		"after 140 moves the game is %s: %q", s.record.Text(), out[max(0, len(out)-80):])
}

// limited notes the limits of its moves.
type limited struct {
	reversi.Player
	limits *[]reversi.Limits
}

func (l limited) Choose(ctx context.Context, p board.Position, limits reversi.Limits) (reversi.Choice, error) {
	*l.limits = append(*l.limits, limits)
	return l.Player.Choose(ctx, p, limits)
}

// The clocks of GTP reach the player: a time for the game, or one for each move.
func TestGTPClocks(t *testing.T) {
	s := session()
	var limits []reversi.Limits
	s.Player = func() (reversi.Player, error) {
		p, err := reversi.ParsePlayer("greedy", reversi.Env{})
		return limited{p, &limits}, err
	}
	answer(t, s, "time_settings 60 0 0\ntime_left black 10 0\ngenmove black\n"+
		"clear_board\ntime_settings 0 6 2\ngenmove black\n")
	want := []reversi.Limits{{Clock: reversi.Clock{Left: 10 * time.Second}}, {Time: 3 * time.Second}}
	testkit.Equal(t, limits, want, "limits")
}

// With --ponder the answers are the same, and the search in the background ends with the
// session.
func TestPonder(t *testing.T) {
	s := session()
	s.Ponder = true
	s.Player = func() (reversi.Player, error) { return reversi.ParsePlayer("search:time=2ms", reversi.Env{}) }
	out := answer(t, s, "genmove black\nname\ngenmove white\nclear_board\ngenmove black\n")
	testkit.ErrorIf(t, strings.Contains(out, "?"), "%s", out)
}

func FuzzGTP(f *testing.F) {
	f.Add("play black f5\ngenmove white\nshowboard\nundo\nfinal_score\n")
	f.Fuzz(func(t *testing.T, in string) { converse(t, in) })
}
