package game

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/play/session"
	"github.com/seed-09dcdc84/ur/results"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/valuenet"
	"golang.org/x/sync/singleflight"
)

// Set is a rule set, with everything for a page to draw its board.
type Set struct {
	Name         string      `json:"name"`
	Title        string      `json:"title"`         // the name in words
	About        string      `json:"about"`         // the difference from other rules, in a paragraph
	Pieces       int         `json:"pieces"`        // number a side
	Columns      []string    `json:"columns"`       // board columns, A first: "#" for a tile and "." for a gap in each row
	Paths        [2][]string `json:"paths"`         // tiles of Light's and of Dark's path, such as "B4"
	Rosettes     []string    `json:"rosettes"`      // tiles
	Dice         []int       `json:"dice"`          // weights of the rolls, 0 first
	SafeRosettes bool        `json:"safe_rosettes"` // a piece on a rosette cannot be captured
}

type offeredSet struct {
	Set
	Players []Choice `json:"players"` // players to choose from
}

// Choice is a player to choose from.
type Choice struct {
	Name  string `json:"name"`
	Title string `json:"title"`         // the name in words, with the strength
	Most  int    `json:"most"`          // pieces of the largest game it can play here
	Why   string `json:"why,omitempty"` // the reason why it cannot play larger ones, in a sentence
}

func setOf(r *board.Rules) Set {
	d := r.Definition()
	return Set{
		Name: d.Name, Title: r.Title(), About: d.About, Pieces: d.Pieces, Columns: d.Board,
		Paths:    [2][]string{d.Light, d.Dark},
		Rosettes: d.Rosettes, Dice: d.Dice, SafeRosettes: d.SafeRosettes,
	}
}

func listRuleSets() (list []offeredSet) {
	for _, set := range board.List() {
		list = append(list, offeredSet{setOf(set), listPlayers(set)})
	}
	return list
}

// listPlayers lists the players of a rule set, a person first. Those that need a net or a table that
// is not here are listed with the reason.
func listPlayers(r *board.Rules) (list []Choice) {
	others := slices.DeleteFunc(play.Kinds(), func(kind play.Kind) bool { return kind.Name == "search" })
	for _, spec := range append(others.Specs(), shownSearches...) {
		title := play.TitleOf(spec)
		if title == "" {
			continue // not for menus
		}
		if spec != session.Person && !needsNet(spec) {
			if _, err := play.ParsePlayerFor(r, spec); err != nil {
				continue // it plays Finkel's rules only
			}
		}
		most, why := largestGame(r, spec)
		list = append(list, Choice{spec, title, most, why})
	}
	return list
}

func needsNet(spec string) bool {
	return strings.HasPrefix(spec, "net") || strings.HasPrefix(spec, "level:")
}

// largestGame returns the pieces of the largest game that an offered player can play here, and in a
// sentence the reason why it cannot play larger ones.
func largestGame(r *board.Rules, spec string) (most int, why string) {
	other := !r.IsFinkel()
	_, _, noNet := valuenet.BuiltinFor(r)
	switch {
	case spec == "perfect" || spec == topLevel:
		if !other {
			if most = exactPieces(); most < board.FinkelPieces {
				why = fmt.Sprintf(
					"Perfect play with more than %d pieces needs the table of the complete solution, which is not loaded here.", most)
			}
			return most, why
		}
		if _, err := play.DefaultTables().Find(r); err != nil && !solve.Quick(r) {
			return 0, fmt.Sprintf(
				"Perfect play under the rules of %s needs the table of their solution, which is not loaded here.",
				r.Title())
		}
	case other && needsNet(spec) && noNet != nil:
		return 0, fmt.Sprintf("%s has no built-in net, so nets and levels cannot play it.", r.Title())
	}
	return board.MaxPieces, ""
}

// unableReason returns in a sentence the reason why a player cannot move in games under a rule set with
// its number of pieces, or "".
func unableReason(r *board.Rules, name string) string {
	if name == session.Person {
		return ""
	}
	if !isOffered(name) {
		return fmt.Sprintf(
			"%q is no player of this page, so the game cannot go on here. Play on from any of its turns with others.",
			text.Clip(name))
	}
	if most, why := largestGame(r, name); most < r.Pieces() {
		return why
	}
	return ""
}

// shownSearches are the searching players in the menu; any of [searches] may play.
var shownSearches = []string{"search:depth=2", "search:depth=3", "search:time=100ms"}

// searches are the searching players for requests. None opens a file, needs much
// memory, or thinks for more than about a second.
var searches = text.Regexp(`^search:(depth=[1-3]|time=[1-9]\d{0,2}ms|nodes=[1-9]\d{0,5})(,leaf=(net|brain|greedy))?$`)

// isOffered reports whether a name is one of the searches, or another player of the program without a file.
func isOffered(name string) bool {
	kind, ok := play.KindOf(name)
	return searches().MatchString(name) || ok && kind.Name != session.Person && kind.Name != "search" &&
		slices.ContainsFunc(kind.Patterns, func(p play.Pattern) bool { return slices.Contains(p.Specs(), name) })
}

var topLevel = fmt.Sprintf("level:%d", play.MaxLevel) // level that plays perfectly

// exactPieces returns the number of pieces of the largest game with an exact solution here: by
// a table, or solved on demand.
func exactPieces() int {
	for pieces := board.FinkelPieces; pieces > solve.QuickPieces; pieces-- {
		if r, err := board.Finkel().WithPieces(pieces); err == nil {
			if _, err := play.DefaultTables().Find(r); err == nil {
				return pieces
			}
		}
	}
	return solve.QuickPieces
}

// withoutFolder replaces errors about the tables of this machine by ones without its folders,
// which are of no use to a client.
func withoutFolder(err error) error {
	missing, ok := errors.AsType[*solve.MissingTableError](err)
	switch {
	case ok && !missing.Rules.Equal(board.Finkel()):
		return fmt.Errorf(
			"perfect play under the rule set %q, and judging its games without a built-in net, needs the table of their solution, which is not loaded here (want another player)", missing.Rules.Name())
	case ok:
		return fmt.Errorf(
			"perfect play with %d pieces needs the table of the complete solution, which is not loaded here (want at most %d pieces, or another player)",
			missing.Rules.Pieces(), solve.QuickPieces)
	}
	folder := play.DefaultTables().Folder
	if err == nil || folder == "" || !strings.Contains(err.Error(), folder) {
		return err
	}
	return errors.New(strings.ReplaceAll(err.Error(), folder, "the folder of tables"))
}

// levelRegret is a level's measured strength.
type levelRegret struct {
	Level  int     `json:"level"`  // number of the level
	Regret float64 `json:"regret"` // mean regret per decision, in percentage points
}

// levels returns the measured strength of all levels, from the embedded record.
var levels = sync.OnceValue(func() []levelRegret {
	list := []levelRegret{}
	regrets, _ := results.LevelRegrets() // a test keeps errors from happening
	for i, regret := range regrets {
		list = append(list, levelRegret{i + 1, regret})
	}
	return list
})

// Service answers questions about games. It holds the available players and keeps idle instances of
// them. It is safe for concurrent use.
type Service struct {
	// Patience is the time a call waits for a player in preparation, for example while it
	// solves a small game, before it returns a [*PreparingError]; 0 means until its context
	// ends. The preparation continues, and later calls wait for it too.
	Patience time.Duration

	mutex      sync.Mutex
	players    map[string]*player
	evaluators play.Evaluators
	lasting    context.Context // context for preparations; nil before the first
	stop       context.CancelFunc
	running    sync.WaitGroup     // preparations
	preparing  singleflight.Group // one for each player and number of pieces
}

// player is a player with its idle instances.
type player struct {
	*play.Pool
	ready [board.MaxPieces + 1]atomic.Bool // one for each number of pieces
}

// PreparingError reports a player in preparation. The preparation continues.
type PreparingError struct {
	Name   string
	Pieces int
}

func (e *PreparingError) Error() string {
	return fmt.Sprintf("%s is being prepared for games of %d pieces: try again in a few seconds", e.Name, e.Pieces)
}

// maxPlayers bounds how many players are kept with their instances.
const maxPlayers = 64

// Check returns an error unless a player, or a person, may be chosen for games under a rule set
// with its number of pieces. It prepares the player.
func (r *Service) Check(ctx context.Context, set *board.Rules, name string) error {
	if name == session.Person {
		return nil
	}
	p, err := r.lookUpPlayer(set, name)
	if err != nil {
		return err
	}
	return r.preparePlayer(ctx, p, name, set.Pieces())
}

// preparePlayer waits until a player is prepared for games of a number of pieces. There is one preparation
// at a time, for all who wait.
func (r *Service) preparePlayer(ctx context.Context, p *player, name string, pieces int) error {
	if p.Prepare == nil || p.ready[pieces].Load() {
		return nil
	}
	if r.Patience > 0 {
		patient, cancel := context.WithTimeoutCause(ctx, r.Patience, &PreparingError{name, pieces})
		defer cancel()
		ctx = patient
	}
	prepared := r.preparing.DoChan(fmt.Sprintf("%p %d", p, pieces), func() (any, error) {
		if p.ready[pieces].Load() {
			return nil, nil // another preparation has ended since the first look
		}
		r.mutex.Lock()
		lasting := r.preparationContext()
		err := lasting.Err()
		if err == nil {
			r.running.Add(1)
			defer r.running.Done()
		}
		r.mutex.Unlock()
		if err == nil {
			err = p.Prepare(lasting, pieces)
			p.ready[pieces].Store(err == nil)
		}
		return nil, err
	})
	select {
	case result := <-prepared:
		return result.Err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// preparationContext returns the context of preparations. The caller holds the mutex.
func (r *Service) preparationContext() context.Context {
	if r.lasting == nil {
		r.lasting, r.stop = context.WithCancel(context.Background())
	}
	return r.lasting
}

// Close ends all preparations. None begins after it.
func (r *Service) Close() {
	r.mutex.Lock()
	r.preparationContext()
	r.stop()
	r.mutex.Unlock()
	r.running.Wait()
}

// lookUpPlayer returns a player, and makes it when it is asked for first.
func (r *Service) lookUpPlayer(set *board.Rules, name string) (*player, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	key := name // the key under Finkel's rules; a player of others may depend on the pieces
	if !set.IsFinkel() {
		key = fmt.Sprint(name, " ", record.RulesText(set), " ", set.Pieces())
	}
	if p := r.players[key]; p != nil {
		return p, nil
	}
	if !isOffered(name) {
		return nil, fmt.Errorf(
			"no player %q here (want human, level:1 to level:%d, net, brain, greedy, random or another of the list)",
			text.Clip(name), play.MaxLevel)
	}
	parsed, err := play.ParsePlayerFor(set, name)
	if err != nil {
		return nil, err
	}
	if r.players == nil || len(r.players) >= maxPlayers {
		r.players = map[string]*player{}
	}
	p := &player{Pool: play.NewPool(parsed, play.FastestChooser())}
	r.players[key] = p
	return p, nil
}

// seatPlayer returns the player of a name for a session. It looks the player up at its first move,
// so a game can be viewed although its players are unavailable here.
func (r *Service) seatPlayer(set *board.Rules, name string) play.Player {
	return play.Player{Spec: name, New: func(ur.Engine) (play.Instance, error) { return guest{r, set, name}, nil }}
}

// guest is an instance of a player by name.
type guest struct {
	service *Service
	rules   *board.Rules
	name    string
}

// Choose lets the player choose in an idle instance.
func (g guest) Choose(ctx context.Context, t *play.Turn) (int, error) {
	p, err := g.service.lookUpPlayer(g.rules, g.name)
	if err != nil {
		return 0, err
	}
	if err := g.service.preparePlayer(ctx, p, g.name, g.rules.Pieces()); err != nil {
		return 0, err
	}
	return p.Choose(ctx, t)
}
