package play

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/play/record"
)

// Program lets another program choose: it writes each turn as a line of JSON to the program's input,
// and reads the move as a line from its output. The program is started once, at the first turn; a
// second goroutine that asks at the same time starts it again. A program that ends, does not answer
// in time, or answers with anything but one legal move is killed, and loses the game by a
// [*match.ForfeitError].
type Program struct {
	Time time.Duration // limit for each move; 0 means [ProgramTime]

	spec string
	args []string

	mutex    sync.Mutex
	idle     []*process.Lines
	start    time.Duration // time of a process to start
	answered bool          // a process has answered
}

// ProgramTime is the default time limit for a [Program]'s move. A new process has StartTime in addition until its
// first answer. If the first process does not answer within both, later ones have no time to start, so a match
// against a program that never answers ends.
const (
	ProgramTime = time.Minute
	StartTime   = 10 * time.Second
)

var programKind = Kind{
	Name: "exec",
	Patterns: []Pattern{{Text: "exec:CMD", Help: "a program in any language, which reads turns and writes moves as " +
		`JSON lines; only as an argument of "ur match", "ur play" and "ur regret"`}},
	Parse: parseProgram, Refuse: refuseUntrusted,
}

// parseProgram splits a command into words like a POSIX shell, and finds its program.
func parseProgram(_ ParseContext, spec, rest string) (Player, error) {
	command, ok := strings.CutPrefix(rest, ":")
	if !ok {
		return Player{}, match.ErrSpec
	}
	args, err := process.SplitWords(command, os.Getenv)
	if err == nil {
		_, err = exec.LookPath(args[0])
	}
	if err != nil {
		return Player{}, fmt.Errorf("player %q: %w", spec, err)
	}
	return (&Program{spec: spec, args: args, start: StartTime}).player(), nil
}

// refuseUntrusted is the Refuse of kinds that run a program.
func refuseUntrusted(in ParseContext, spec string) error {
	if !in.trusted {
		return &ProgramRefusedError{spec}
	}
	return nil
}

// ProgramRefusedError reports a spec that runs a program, from a source other than the user who
// started this process.
type ProgramRefusedError struct{ Spec string }

func (e *ProgramRefusedError) Error() string {
	return fmt.Sprintf(
		`player %q runs a program, which only an argument of "ur match", "ur play" or "ur regret" may do (want another player)`, e.Spec)
}

// RunsProgram reports whether a spec runs a program: only [ParseTrustedPlayer] accepts it.
func RunsProgram(spec string) bool {
	kind, _ := KindOf(spec)
	return kind.Name == programKind.Name
}

// ParseTrustedPlayer is [ParsePlayerFor] for a spec that the user typed to start this process: it
// also accepts players that run a program.
func ParseTrustedPlayer(r *board.Rules, spec string) (Player, error) {
	return parsePlayer(r, spec, inPlace, true)
}

// player returns the player for the spec "exec:CMD". The program reads the rules with each turn. The
// time limit is its identity, for the program itself may change.
func (p *Program) player() Player {
	return Player{
		Spec: p.spec, Rules: anyRules, Source: p,
		Identity: func(context.Context, int) (string, error) {
			return "at most " + p.limit().String() + " a move",
				nil
		},
		New: func(ur.Engine) (Instance, error) { return p, nil },
	}
}

func (p *Program) limit() time.Duration { return cmp.Or(p.Time, ProgramTime) }

// Choose asks the program.
func (p *Program) Choose(ctx context.Context, t *Turn) (choice int, err error) {
	line, start, err := p.take()
	if err != nil {
		return 0, fmt.Errorf("player %q: %w", p.spec, err)
	}
	late := fmt.Errorf("no answer within %v", p.limit())
	if start > 0 {
		late = fmt.Errorf("%w, and %v for its start", late, start)
	}
	limited, cancel := context.WithTimeoutCause(ctx, p.limit()+start, late)
	defer cancel()
	choice, err = ask(limited, line, t)
	if err == nil {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		p.idle, p.answered = append(p.idle, line), true
		return choice, nil
	}
	line.Kill()
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	if errors.Is(err, late) {
		p.endStarts()
	}
	return 0, &match.ForfeitError{Player: p.spec, Err: fmt.Errorf("turn %d of game %d: %w", t.Number+1, t.Game, err)}
}

// take returns the program's idle process, or a new one and its time to start.
func (p *Program) take() (line *process.Lines, start time.Duration, err error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	n := len(p.idle)
	if n == 0 {
		line, err = process.StartLines(p.args)
		return line, p.start, err
	}
	line = p.idle[n-1]
	p.idle = p.idle[:n-1]
	return line, 0, nil
}

// endStarts leaves a program that has never answered no more time to start.
func (p *Program) endStarts() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if !p.answered {
		p.start = 0
	}
}

// Close closes the program's input, and kills it if it does not end within a second.
func (p *Program) Close() error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	var all sync.WaitGroup
	for _, line := range p.idle {
		all.Go(func() { line.Close("") })
	}
	all.Wait()
	p.idle = nil
	return nil
}

// turnLine is a turn as a program reads it. The moves come as in [Turn].
type turnLine struct {
	Board    *[board.Numbers]int `json:"board,omitempty"`    // under Finkel's rules
	Position string              `json:"position,omitempty"` // under other rules
	Roll     int                 `json:"roll"`
	Rules    json.RawMessage     `json:"rules"` // name, or definition of a rule set that is not built in
	Moves    []MoveLine          `json:"moves"`
}

// MoveLine is a legal move in JSON, with the position after it in the question's form.
type MoveLine struct {
	From     *uint8              `json:"from,omitempty"`
	To       *uint8              `json:"to,omitempty"`
	Board    *[board.Numbers]int `json:"board,omitempty"`
	Position string              `json:"position,omitempty"`
}

// MoveLines returns the legal moves for a roll, or the pass, which has no squares. Positions are array
// forms, for Finkel's rules only, or texts.
func MoveLines(r *board.Rules, p board.Position, roll int, arrays bool) (lines []MoveLine) {
	moves := r.Moves(nil, p, roll)
	for i, next := range r.Futures(nil, p, roll) {
		var m MoveLine
		if len(moves) > 0 {
			m.From, m.To = &moves[i].From, &moves[i].To
		}
		if arrays {
			m.Board = new(next.Numbers())
		} else {
			m.Position = r.FormatPosition(next)
		}
		lines = append(lines, m)
	}
	return lines
}

// newTurnLine returns a turn's line.
func newTurnLine(t *Turn) (string, error) {
	line := turnLine{Roll: t.Roll, Moves: MoveLines(t.Rules, t.Position, t.Roll, t.Rules.IsFinkel())}
	if t.Rules.IsFinkel() {
		line.Board = new(t.Position.Numbers())
	} else {
		line.Position = t.Rules.FormatPosition(t.Position)
	}
	rules := record.RulesText(t.Rules)
	if line.Rules = json.RawMessage(rules); !strings.HasPrefix(rules, "{") {
		line.Rules = json.RawMessage(`"` + rules + `"`) // a built-in name needs no escapes
	}
	data, err := json.Marshal(line)
	return string(data), err
}

// ask writes a turn and reads its move's index. Errors quote the answer, or the question that
// has none.
func ask(ctx context.Context, line *process.Lines, t *Turn) (choice int, err error) {
	if extra, ok := line.Unread(); ok {
		return 0, fmt.Errorf("the line %s came before its question, as a second answer does (want one line for each question)",
			text.Plain(text.Clip(extra)))
	}
	question, err := newTurnLine(t)
	if err != nil {
		return 0, err
	}
	var answer string
	if err = line.Send(ctx, question); err == nil {
		answer, err = line.Receive(ctx)
	}
	if err != nil {
		question, _, _ = strings.Cut(question, `,"moves":`)
		return 0, fmt.Errorf("after the line %s...: %w", question, err)
	}
	if choice, err = parseMoveLine(answer, t.Moves); err != nil {
		return 0, fmt.Errorf("the line %s: %w", text.Plain(text.Clip(answer)), err)
	}
	return choice, nil
}

// parseMoveLine returns the index of the move in a program's answer.
func parseMoveLine(answer string, moves []board.Move) (choice int, err error) {
	const want = `{"move":INDEX} or {"from":N,"to":N}`
	answer = strings.ToLower(answer) // package json ignores the case of names
	var a struct{ Move, From, To *int }
	if err := json.Unmarshal([]byte(answer), &a); err != nil {
		return 0, fmt.Errorf("not a move: %w (want %s)", err, want)
	}
	if _, err := text.ParseObject([]byte(answer), want); err != nil {
		return 0, fmt.Errorf("not a move: %w", err)
	}
	switch {
	case a.Move != nil && a.From == nil && a.To == nil:
		if *a.Move < 0 || *a.Move >= len(moves) {
			return 0, fmt.Errorf("illegal move %d (want 0 to %d)", *a.Move, len(moves)-1)
		}
		return *a.Move, nil
	case a.Move == nil && a.From != nil && a.To != nil:
		choice = slices.IndexFunc(moves,
			func(m board.Move) bool { return int(m.From) == *a.From && int(m.To) == *a.To })
		if choice < 0 {
			return 0, fmt.Errorf("illegal move (want one of %s)", strings.Join(text.List(moves, func(m board.Move) string {
				return fmt.Sprintf("%d to %d", m.From, m.To)
			}), ", "))
		}
		return choice, nil
	}
	return 0, errors.New("not a move (want " + want + ")")
}
