package play

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/play/record"
)

// programMode is the variable that makes this test binary a program, and names its behavior; the
// file of programStarts notes each start.
const (
	programMode   = "UR_TEST_PROGRAM"
	programStarts = "UR_TEST_PROGRAM_STARTS"
)

// TestProgramProcess is the program of the other tests, not a test.
func TestProgramProcess(t *testing.T) {
	mode := os.Getenv(programMode)
	testkit.SkipIf(t, mode == "", "it runs as a program of other tests")
	if name := os.Getenv(programStarts); name != "" {
		file := testkit.Must(os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666))(t)
		fmt.Fprintln(file, "start")
		file.Close()
	}
	for mode == "deaf" {
		fmt.Println(`{"move":0}`)
		time.Sleep(time.Millisecond)
	}
	if mode == "slow" {
		time.Sleep(300 * time.Millisecond)
		mode = "index"
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for n := 0; in.Scan(); n++ {
		choice, m := greedyOfLine(t, in.Bytes())
		switch {
		case mode == "hangs":
			time.Sleep(time.Hour)
		case mode == "index" || mode != "squares" && n < 3:
			fmt.Printf("{\"move\":%d}\n", choice)
		case mode == "squares":
			fmt.Printf("{\"from\":%d,\"to\":%d,\"why\":\"no field of ours\"}\n", m.From, m.To)
		case mode == "dies":
			fmt.Fprintln(os.Stderr, "out of ideas")
			os.Exit(3)
		case mode == "long":
			fmt.Println(strings.Repeat("x", process.MaxLine+1))
		case mode == "closes":
			os.Stdout.Close()
			time.Sleep(time.Hour)
		default:
			fmt.Println(mode)
		}
	}
	os.Exit(0)
}

// greedyOfLine returns the choice of [Greedy] from a line alone.
func greedyOfLine(t *testing.T, line []byte) (choice int, m board.Move) {
	var q struct {
		Board    *[board.Numbers]int
		Position string
		Roll     int
		Rules    json.RawMessage
		Moves    []MoveLine
	}
	testkit.NoError(t, json.Unmarshal(line, &q))
	r := testkit.Must(record.ParseRules(strings.Trim(string(q.Rules), `"`)))(t)
	p, err := r.ParsePosition(q.Position)
	if q.Board != nil {
		p, err = board.FromNumbers(*q.Board)
	}
	testkit.NoError(t, err)
	moves := r.Moves(nil, p, q.Roll)
	choice = mostGain(&Turn{Rules: r, Moves: moves})
	m = moves[choice]
	testkit.FatalIf(t, *q.Moves[choice].From != m.From || *q.Moves[choice].To != m.To || len(q.Moves) != len(moves),
		"moves %s", line)
	return choice, m
}

// newProgram returns a player of a mode.
func newProgram(t *testing.T, r *board.Rules, mode string) *Program {
	t.Helper()
	t.Setenv(programMode, mode)
	p := testkit.Must(ParseTrustedPlayer(r, "exec:'"+os.Args[0]+"' -test.run=^TestProgramProcess$"))(t)
	program := p.Source.(*Program)
	t.Cleanup(func() { program.Close() })
	return program
}

// playRecorded returns the score and the games of a match.
func playRecorded(t *testing.T, c MatchConfig) (Score, []*record.Game) {
	t.Helper()
	var games []*record.Game
	c.Record = func(g *record.Game) error {
		games = append(games, g)
		return nil
	}
	return testkit.Must(Match(t.Context(), c))(t).Score, games
}

// A program that chooses like a player plays the same games, under all rules. It is started once.
func TestProgramEqualsGreedy(t *testing.T) {
	starts := filepath.Join(t.TempDir(), "starts")
	t.Setenv(programStarts, starts)
	custom := board.Finkel().Definition()
	custom.Name, custom.Dice = "custom", []int{1, 2, 3, 1}
	rules := append(board.List(), testkit.Must(board.New(custom))(t))
	for i, r := range rules {
		mode := []string{"index", "squares"}[i%2]
		c := MatchConfig{Players: []Player{newProgram(t, r, mode).player(), Random}, Rules: r, Games: 6,
			Seed: 3, Parallel: 1}
		score, games := playRecorded(t, c)
		c.Players[0] = Greedy
		wantScore, want := playRecorded(t, c)
		for n, g := range games {
			g.Players[n%2] = "greedy"
		}
		score.recorded, wantScore.recorded = nil, nil
		testkit.ErrorIf(t, !reflect.DeepEqual(games, want) || score != wantScore,
			"%s: %d games differ from those of greedy", r.Name(), len(games))
	}
	testkit.Equal(t, strings.Count(testkit.ReadText(t, starts), "start\n"), len(rules), "starts, one a match")
}

// A program that fails loses its game and no other. The error shows the line.
func TestProgramForfeits(t *testing.T) {
	for mode, want := range map[string]string{
		"dies":                `"roll":`,
		"hangs":               "no answer within 50ms",
		"closes":              "the program has closed its output",
		"rubbish":             "the line rubbish: not a move: invalid character",
		"null":                "the line null: not a move: line 1: not an object (want",
		`{"move":99}`:         `the line {"move":99}: illegal move 99 (want 0 to `,
		`{"move":-1}`:         "illegal move -1",
		`{"move":0,"from":0}`: "not a move",
		`{"from":15,"to":0}`:  `the line {"from":15,"to":0}: illegal move (want one of `,
		"long":                "token too long",

		`{"move":99,"move":0}`:       `the line {"move":99,"move":0}: not a move: member "move" given twice`,
		`{"Move":0,"move":1}`:        "given twice",
		"{\"move\":0}\n{\"move\":0}": `the line {"move":0} came before its question, as a second answer does`,
	} {
		p := newProgram(t, board.Finkel(), mode)
		games := 2
		if mode == "hangs" {
			p.Time, p.start, games = 50*time.Millisecond, 0, 1
		}
		var failures []error
		score, records := playRecorded(t, MatchConfig{
			Players: []Player{p.player(), Greedy}, Games: games, Parallel: 1,
			Forfeit: func(err error) { failures = append(failures, err) },
		})
		testkit.ErrorIf(t, score.Forfeits != [2]int64{int64(games), 0} || score.Wins != [2]int64{0, int64(games)} ||
			len(failures) != games, "%s: score %+v with %d failures", mode, score, len(failures))
		for i, err := range failures {
			_, ok := errors.AsType[*match.ForfeitError](err)
			testkit.ErrorIf(t, !ok || !strings.Contains(err.Error(), want) || mode == "dies" &&
				!strings.Contains(err.Error(), "exit status 3: out of ideas"), "%s: error %v, want %s", mode, err, want)
			g := records[i]
			lost := record.LightResigned + record.Result(i%2)
			testkit.ErrorIf(t, g.Result != lost || g.Meta["Forfeit"] != err.Error(),
				"%s: game %d is %v with %q", mode, i, g.Result, g.Meta)
			testkit.Equal(t, testkit.ErrorOf(g.Replay(nil)), nil, "%s: game %d played again", mode, i)
		}
	}
}

// The limit of a first move does not include the start of the program.
func TestProgramStartsSlowly(t *testing.T) {
	p := newProgram(t, board.Finkel(), "slow")
	p.Time = 200 * time.Millisecond
	score, _ := playRecorded(t, MatchConfig{Players: []Player{p.player(), Greedy}, Games: 2, Parallel: 1})
	testkit.Equal(t, score.Forfeits, [2]int64{}, "forfeits")
}

// Only the first process of a program that never answers has time to start.
func TestProgramNeverAnswers(t *testing.T) {
	p := newProgram(t, board.Finkel(), "hangs")
	p.Time, p.start = 20*time.Millisecond, 100*time.Millisecond
	var failures []string
	score, _ := playRecorded(t, MatchConfig{
		Players: []Player{p.player(), Greedy}, Games: 3, Parallel: 1,
		Forfeit: func(err error) { failures = append(failures, err.Error()) },
	})
	testkit.Equal(t, score.Forfeits, [2]int64{3, 0}, "forfeits")
	for i, failure := range failures {
		want := "no answer within 20ms"
		if i == 0 {
			want += ", and 100ms for its start"
		}
		testkit.ErrorIf(t, !strings.HasSuffix(failure, want), "%s (want %s)", failure, want)
	}
}

// A program that answers without reading fills its pipe. It ends neither the match nor its interruption.
func TestProgramNeverReads(t *testing.T) {
	p := newProgram(t, board.Finkel(), "deaf")
	p.Time = 50 * time.Millisecond
	score, _ := playRecorded(t, MatchConfig{Players: []Player{p.player(), Greedy}, Games: 20, Parallel: 1})
	testkit.ErrorIf(t, score.Forfeits[0] == 0, "no forfeits in %d games", score.Tally.Games)

	reader, writer := io.Pipe() // a full pipe
	defer reader.Close()
	p.idle = append(p.idle, process.NewLines(writer, strings.NewReader("")))
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	p.Time = time.Hour
	_, err := Match(ctx, MatchConfig{Players: []Player{p.player(), Greedy}, Games: 2, Parallel: 1})
	testkit.WantErrorIs(t, err, context.Canceled, "an interrupted match")
}

// The end of a match by the user is no forfeit.
func TestProgramInterrupted(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	result, err := Match(ctx,
		MatchConfig{Players: []Player{newProgram(t, board.Finkel(), "hangs").player(), Greedy}, Games: 2})
	testkit.ErrorIf(t, !errors.Is(err, context.DeadlineExceeded) || result.Forfeits != [2]int64{},
		"error %v, forfeits %v", err, result.Forfeits)
}

// Only a trusted spec runs a program.
func TestProgramRefused(t *testing.T) {
	marker := filepath.Join(t.TempDir(), "marker")
	spec := "exec:touch '" + marker + "'"
	parsers := map[string]func() (Player, error){
		"ParsePlayer":     func() (Player, error) { return ParsePlayer(spec) },
		"ParsePlayerFor":  func() (Player, error) { return ParsePlayerFor(board.Finkel(), spec) },
		"ParsePlayerFrom": func() (Player, error) { return ParsePlayerFrom(board.Finkel(), spec, inPlace) },
		"leaf":            func() (Player, error) { return ParseTrustedPlayer(board.Finkel(), "search:depth=1,leaf="+spec) },
	}
	for name, parse := range parsers {
		p, err := parse()
		var refused *ProgramRefusedError
		testkit.ErrorIf(t, p.New != nil || !errors.As(err, &refused) || refused.Spec != spec, "%s: player %q, error %v",
			name, p.Spec, err)
	}
	for _, bad := range []string{"exec", "exec:", "exec:'x", "exec:no-such-program-here", "exec@1:true",
		"exec:true | false"} {
		testkit.WantError(t, testkit.ErrorOf(ParseTrustedPlayer(board.Finkel(), bad)), "", "%q is a player", bad)
	}
	testkit.WantError(t, testkit.ErrorOf(os.Stat(marker)), "", "the program ran")
}

// A log of games with another limit of time is of another player.
func TestProgramIdentity(t *testing.T) {
	p, log := newProgram(t, board.Finkel(), "index"), filepath.Join(t.TempDir(), "log.jsonl")
	match := func() MatchConfig { return MatchConfig{Players: []Player{p.player(), First}, Games: 2} }
	testkit.Must(playLogged(t, match(), log))(t)
	p.Time = time.Hour
	testkit.WantError(t, testkit.ErrorOf(playLogged(t, match(), log)), "at most 1h0m0s a move", "another time")
}

// Every answer is a legal move or an error.
func FuzzMoveOfLine(f *testing.F) {
	for _, answer := range []string{`{"move":0}`, `{"move":2}`, `{"from":0,"to":2}`, `{"from":1}`,
		`{"move":1e9}`, `{"move":0.5}`, "[]", "null", "", `{"move":1}{}`} {
		f.Add(answer)
	}
	moves := board.Finkel().Moves(nil, board.StartPosition(7), 2)
	f.Fuzz(func(t *testing.T, answer string) {
		choice, err := parseMoveLine(answer, moves)
		testkit.ErrorIf(t, err == nil && (choice < 0 || choice >= len(moves)), "%q is move %d of %d", answer, choice,
			len(moves))
	})
}
