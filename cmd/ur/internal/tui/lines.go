package tui

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/session"
)

// UI is a form of the display.
type UI string

// The forms.
const (
	Full  UI = "full"  // the whole screen of a terminal
	Lines UI = "lines" // line by line, with drawn boards
	Words UI = "words" // line by line in words, for a screen reader
)

// Run plays a game until the user quits or a script ends, and returns the session in its final
// state. After Ctrl-C or a signal, the error is [cli.ErrInterrupted].
func Run(ctx context.Context, c Config, env *cli.Env, ui UI) (*session.Session, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop() // ends running work
	m := newModel(ctx, c)
	err := m.runOn(ctx, env, ui)
	return m.s, err
}

// RunQuiz shows a quiz's pages until the user quits. After Ctrl-C or a signal, the error is
// [cli.ErrInterrupted].
func RunQuiz(ctx context.Context, style *Style, pages []Page, env *cli.Env, ui UI) error {
	return newQuiz(style, pages).runOn(ctx, env, ui)
}

func (s *screen) runOn(ctx context.Context, env *cli.Env, ui UI) error {
	s.lines = ui != Full
	out := env.Stdout
	if o, ok := out.(*cli.Output); ok {
		out = o.To // the terminal itself
	}
	profile := colorprofile.Ascii
	if cli.WantsColor(out) {
		profile = colorprofile.Detect(out, os.Environ())
	}
	if s.lines {
		return s.runLines(ctx, env.Stdin, &colorprofile.Writer{Forward: env.Stdout, Profile: profile})
	}
	_, err := tea.NewProgram(s, tea.WithContext(ctx), tea.WithInput(env.Stdin), tea.WithOutput(out),
		tea.WithoutSignalHandler(), tea.WithColorProfile(profile)).Run()
	if s.interrupted || ctx.Err() != nil || errors.Is(err, tea.ErrInterrupted) {
		return cli.ErrInterrupted
	}
	return err
}

// runLines shows the interface line by line. Its commands run one after the other.
func (s *screen) runLines(ctx context.Context, stdin io.Reader, out io.Writer) error {
	const maxLine = 1000 // more than a person types
	in := bufio.NewReader(cli.NewContextReader(ctx, stdin))
	for queue := []tea.Cmd{s.Init()}; ; {
		for len(queue) > 0 {
			cmd := queue[0]
			queue = queue[1:]
			s.printNews(out)
			if ctx.Err() != nil {
				return cli.ErrInterrupted
			}
			if cmd == nil {
				continue
			}
			msg := cmd()
			if _, quit := msg.(tea.QuitMsg); quit {
				return nil
			}
			_, next := s.Update(msg)
			queue = append(queue, next)
		}
		prompt, err := s.printPrompt(out)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := io.WriteString(out, prompt); err != nil {
			return err
		}
		line, tooLong, err := text.ReadLine(in, maxLine)
		switch {
		case ctx.Err() != nil:
			return cli.ErrInterrupted
		case err == io.EOF:
			return s.endOfInput()
		case err != nil:
			return err
		case tooLong != nil:
			line = []byte("a line too long to read")
		}
		queue = append(queue, s.enterLine(strings.TrimSpace(string(line))))
	}
}

type lineState struct {
	session *session.Session
	steps   int
	turn    *play.Turn // the question; nil: print it again
	advised bool       // values of its moves are known
	number  int        // the question's generation
	since   int        // lines since the board
}

// printNews prints the turns played, the help and the message.
func (m *model) printNews(out io.Writer) {
	p, style := &m.printed, m.style
	if m.ask != nil && p.session == nil {
		return // whether to continue a saved game
	}
	steps := m.s.Steps()
	if p.session != m.s {
		p.session, p.steps = m.s, len(steps)
		printIntro(out, style, m.s)
		players := m.s.Players()
		if !m.c.Script && slices.ContainsFunc(players[:], isLevel) {
			fmt.Fprintf(out, "  l takes another level, 1 to %d\n", play.MaxLevel)
		}
	}
	p.steps = min(p.steps, len(steps))
	for i := range steps[p.steps:] {
		fmt.Fprintln(out, style.Line(&steps[p.steps+i]))
	}
	p.steps = len(steps)
	if m.help != nil {
		fmt.Fprintf(out, "\n%s\n", strings.Join(m.help(), "\n"))
		m.help, p.turn = nil, nil
	}
	if m.message != "" {
		fmt.Fprintf(out, "  %s\n", strings.ReplaceAll(text.Lines(m.message), "\n", "\n  "))
		m.message = ""
		const most = 4 // lines, before the board is scrolled away
		if p.since++; p.since >= most && !m.c.Script {
			p.turn = nil
		}
	}
}

// printIntro prints the players, and the seed to repeat the dice.
func printIntro(out io.Writer, style *Style, s *session.Session) {
	setup := s.Setup()
	title := "The Royal Game of Ur"
	if !setup.Rules.IsFinkel() {
		title += ", " + setup.Rules.Title()
	}
	fmt.Fprintf(out, "%s\n\n", style.Strong.Render(title))
	for side, name := range setup.Players {
		fmt.Fprintf(out, "  %s  %s\n", style.Padded(board.Side(side)), text.Plain(name))
	}
	sign := ""
	if !style.InWords {
		sign = "; " + style.rosette.Render(style.Rosette) + " is a rosette: throw again"
	}
	fmt.Fprintf(out, "\n  %s each, seed %d%s\n", text.Plural(setup.Pieces, "piece"), setup.Seed, sign)
}

// printPrompt prints the board with the moves, the end of the game or the turn of the analysis.
func (m *model) printPrompt(out io.Writer) (string, error) {
	p, style := &m.printed, m.style
	if m.ask != nil {
		if input := m.ask.input; input != nil && input.Placeholder != "" {
			return fmt.Sprintf("%s [%s]: ", m.ask.text, input.Placeholder), nil
		} else if input != nil {
			return input.Prompt, nil
		}
		return m.ask.text + " (" + strings.Join(m.ask.answerNames(), ", ") + ") ", nil
	}
	turn := m.shownTurn()
	if p.turn == nil || p.number != m.generation {
		p.turn, p.number, p.since, p.advised = turn, m.generation, 0, false
		m.printTurn(out)
	}
	if values := m.valueTexts(false); values != nil && !p.advised && (m.review != nil || m.hasHints()) {
		p.advised = true
		fmt.Fprintf(out, "  How likely %s wins after each move, %s:\n  %s\n", style.Player(turn.Side()),
			judgedBy(m.advice.By), strings.Join(values, "\n  "))
	}
	switch {
	case m.showsResult() && m.c.Script:
		return "", io.EOF
	case m.review != nil:
		return "  Analysis (Enter next, m next mistake, a back, ? help): ", nil
	case m.showsResult():
		return "Another game (y or n, s swap sides, u undo, a analyze, ? help)? ", nil
	case m.failed != nil && m.c.Script:
		return "", m.failed
	case m.failed != nil:
		fmt.Fprintf(out, "  %s\n", text.Plain(m.failed.Error()))
		return "  Another player (l), undo (u) or quit (q)? ", nil
	case style.InWords:
		return "Your move, " + numberRange(len(turn.Moves)) + ", or ? for help: ", nil
	}
	return fmt.Sprintf("  %s, your move (%s, ? help, h hints, q quit): ", style.Player(turn.Side()),
		numberRange(len(turn.Moves))), nil
}

// printTurn prints the shown position and its question.
func (m *model) printTurn(out io.Writer) {
	style, turn := m.style, m.shownTurn()
	fmt.Fprintln(out)
	if m.showsResult() {
		if _, won := turn.Position.Winner(); won && !style.InWords {
			fmt.Fprintf(out, "%s\n\n", strings.Join(lineGrid(style, turn).Draw(), "\n"))
		}
		fmt.Fprintln(out, strings.Join(append([]string{m.s.ResultText()}, m.endingTexts()...), "\n"))
		return
	}
	g := lineGrid(style, turn)
	g.Path = m.path
	head := style.Numbered(turn)
	if m.review != nil {
		m.review.markMoves(g)
		head = m.review.statusLine(style) + "\n" + m.review.explainTurn(style)[0]
	}
	if style.InWords {
		fmt.Fprintf(out, "Turn %d.\n", turn.Number+1)
	}
	printQuestion(out, g, turn, head)
	if m.review != nil && style.InWords {
		fmt.Fprintln(out, head)
	}
}

// printQuestion prints a board and the moves of a turn behind a heading, or both in words.
func printQuestion(out io.Writer, g *Grid, t *play.Turn, head string) {
	if g.Style.InWords {
		fmt.Fprint(out, QuestionWords(t))
		return
	}
	fmt.Fprintf(out, "%s\n\n%s  %s\n", strings.Join(g.Draw(), "\n"), head,
		strings.Join(g.Style.Moves(t, -1, math.MaxInt), ""))
}

// lineGrid returns a turn's board with its moves.
func lineGrid(style *Style, t *play.Turn) *Grid {
	g := &Grid{Style: style, Rules: t.Rules, Position: t.Position, Moves: t.Moves, Margin: 3,
		Width: 6, Height: 2}
	const usual = 80
	if g.Columns() > usual {
		g.Width = 3
	}
	return g
}

// enterLine takes a line: the answer to a question, or a move or an action.
func (m *model) enterLine(line string) tea.Cmd {
	if m.ask != nil {
		return m.ask.typeAnswer(&m.screen, line)
	}
	switch answer := strings.ToLower(line); {
	case m.showsResult() && (answer == "y" || answer == "yes"):
		return m.beginAnother()
	case m.showsResult() && (answer == "" || answer == "n" || answer == "no"):
		return tea.Quit
	}
	turn := m.s.Turn()
	if !m.isChoosing() {
		turn = &play.Turn{Rules: m.s.Rules()}
	}
	return m.takeLine(line, turn)
}

// takeLine takes a line: a move of a turn, or an action with the answer to its question. Otherwise it
// reports what is valid.
func (s *screen) takeLine(line string, t *play.Turn) tea.Cmd {
	s.message = ""
	if choice, ok := session.Typed(t, line); ok {
		return s.chooseMove(choice)
	}
	word, rest, _ := strings.Cut(line, " ")
	if a := findAction(s.listActions(), word); a != nil {
		cmd := a.do()
		if rest != "" && s.ask != nil && s.ask.input != nil {
			return tea.Batch(cmd, s.ask.answerWith(s, rest))
		}
		return cmd
	}
	valid := wantedActions(s.listActions(), s.style.InWords)
	if n := len(t.Moves); n > 0 {
		valid = numberRange(n) + ", or " + valid
	}
	kind := "a move"
	if notation().MatchString(line) {
		kind = "a legal move"
	}
	s.message = wrongLine(line, kind, valid)
	return nil
}

// notation matches a move's notation, as in A3, in-A3 and B8-home.
var notation = text.Regexp(`^(?i:(in|[a-z]\d\d?)([- ](home|[a-z]\d\d?))?[x*]*)$`)

// isLevel reports whether a player is one of the graded opponents.
func isLevel(spec string) bool { return strings.HasPrefix(spec, "level:") }

func wrongLine(line, kind, valid string) string {
	if line == "" {
		return "Nothing typed (want " + valid + ")"
	}
	return fmt.Sprintf("%q is not %s (want %s)", text.Clip(line), kind, valid)
}

func (m *model) endOfInput() error {
	if m.printed.session == nil || m.s.Phase() == session.Over {
		return cli.UsageError("end of input (to quit, type q)")
	}
	return cli.UsageError("end of input during the game, in turn %d (to quit, type q)", m.s.Turn().Number+1)
}
