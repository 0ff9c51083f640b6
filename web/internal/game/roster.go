package game

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/internal/session"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/record"
)

// Roster holds the available players and keeps idle seats for them. It is safe for concurrent
// use.
type Roster struct {
	// Files are additional players, by name, such as "brain:mine.txt". A name can open no other
	// files.
	Files func() map[string]File

	// Patience is the time a call waits for a player in preparation, for example while it
	// solves a small game, before it returns a [*PreparingError]; 0 means until its context
	// ends. The preparation continues, and later calls wait for it too.
	Patience time.Duration

	// Ponders lets players think on the time of persons.
	Ponders bool

	mutex     sync.Mutex
	players   map[string]*player
	lasting   context.Context // of preparations; nil before the first
	stop      context.CancelFunc
	preparing sync.WaitGroup
	pondering *pondering // nil for none
}

// File is where a player comes from.
type File struct {
	Spec  string // the text for [play.ParsePlayer]
	Stamp string // another one when the file has changed
}

// player is a player with its idle seats.
type player struct {
	play.Player
	stamp string // of the file
	seats sync.Pool
	ready [rules.MaxPieces + 1]*preparation // by number of pieces, guarded by the roster's mutex
}

// preparation is the preparation of a player for games with a number of pieces.
type preparation struct {
	begun time.Time
	done  chan struct{}
	err   error // once done is closed
}

// PreparingError reports that a player is still being prepared. The preparation continues.
type PreparingError struct {
	Name   string
	Pieces int
	Since  time.Duration
}

func (e *PreparingError) Error() string {
	return fmt.Sprintf("%s is being prepared for games of %d pieces, for %s so far: try again in a few seconds", e.Name, e.Pieces, e.Since.Round(time.Second))
}

// Choice is an available player.
type Choice struct {
	Name  string `json:"name"`
	Title string `json:"title"`         // the name in words
	Help  string `json:"help"`          // in a sentence, without a full stop
	Most  int    `json:"most"`          // pieces of the largest game it can play here
	Why   string `json:"why,omitempty"` // the reason why it cannot play larger ones, in a sentence
}

// maxPlayers bounds how many players are kept with their seats.
const maxPlayers = 64

// shownSearches are the searching players in the menu; any of [searches] may play.
var shownSearches = []string{"search:depth=2", "search:depth=3", "search:time=100ms"}

// searches are the searching players that a request may name. None opens a file, needs much
// memory, or thinks for more than about a second.
var searches = regexp.MustCompile(`^search:(depth=[1-3]|time=[1-9]\d{0,2}ms|nodes=[1-9]\d{0,5})(,leaf=(net|brain|greedy))?$`)

// Choices lists the available players of games under Finkel's rules, a person first.
func (r *Roster) Choices() (list []Choice) {
	exact := exactPieces()
	for _, kind := range play.Kinds() {
		for _, pattern := range kind.Patterns {
			for _, spec := range pattern.Specs() {
				if kind.Name == "search" || aliases[spec] {
					continue
				}
				most := board.MaxPieces
				if spec == "perfect" || spec == topLevel {
					most = exact
				}
				list = append(list, Choice{spec, titleOf(spec), helpOn(kind.Name, spec, pattern.Help), most, ""})
			}
		}
	}
	for _, spec := range shownSearches {
		list = append(list, Choice{spec, titleOf(spec), "searches through the dice", board.MaxPieces, ""})
	}
	if r.Files != nil {
		for _, name := range slices.Sorted(maps.Keys(r.Files())) {
			list = append(list, Choice{name, titleOf(name), "from the data folder", board.MaxPieces, ""})
		}
	}
	return list
}

// Check returns an error unless a player, or a person, may be chosen for games under a rule set
// with its number of pieces.
func (r *Roster) Check(ctx context.Context, set *rules.Rules, name string) error {
	if name == session.Person {
		return nil
	}
	_, err := r.Player(ctx, set, name)
	return err
}

// Player returns an available player by name, prepared for games under a rule set with its
// number of pieces.
func (r *Roster) Player(ctx context.Context, set *rules.Rules, name string) (play.Player, error) {
	p, err := r.lookup(set, name)
	if err != nil {
		return nil, err
	}
	return p.Player, r.prepare(ctx, p, name, set.Pieces())
}

// prepare waits until a player is prepared for games of a number of pieces.
func (r *Roster) prepare(ctx context.Context, p *player, name string, pieces int) error {
	if _, ok := p.Player.(play.Preparer); !ok {
		return nil
	}
	preparing := r.preparation(p, pieces)
	if r.Patience > 0 {
		patient, cancel := context.WithTimeoutCause(ctx, r.Patience, &PreparingError{name, pieces, max(r.Patience, time.Since(preparing.begun))})
		defer cancel()
		ctx = patient
	}
	select {
	case <-preparing.done:
		return preparing.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// preparation returns the single preparation of a player, and starts one if there is none or
// the last one failed.
func (r *Roster) preparation(p *player, pieces int) *preparation {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if p.ready[pieces] != nil {
		return p.ready[pieces]
	}
	begun := &preparation{begun: time.Now(), done: make(chan struct{})}
	if begun.err = r.begin().Err(); begun.err != nil {
		close(begun.done)
		return begun
	}
	p.ready[pieces] = begun
	r.preparing.Go(func() {
		begun.err = withoutFolder(play.Prepare(r.lasting, pieces, p.Player))
		if begun.err != nil {
			r.mutex.Lock()
			p.ready[pieces] = nil
			r.mutex.Unlock()
		}
		close(begun.done)
	})
	return begun
}

// begin returns the context of preparations. The caller holds the mutex.
func (r *Roster) begin() context.Context {
	if r.lasting == nil {
		r.lasting, r.stop = context.WithCancel(context.Background())
	}
	return r.lasting
}

// Close ends all preparations and pondering. None begins after it.
func (r *Roster) Close() {
	r.mutex.Lock()
	r.begin()
	r.stop()
	r.mutex.Unlock()
	r.stopPondering(nil)
	r.preparing.Wait()
}

// lookup returns a player, and reads or makes it when it is asked for first, or when its
// file has changed.
func (r *Roster) lookup(set *rules.Rules, name string) (*player, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	file, err := r.file(name)
	if err != nil {
		return nil, err
	}
	key := name // of Finkel's rules; a player of others may depend on the pieces
	if play.OtherRules(set) != nil {
		key = fmt.Sprint(name, " ", record.RulesText(set), " ", set.Pieces())
	}
	if p := r.players[key]; p != nil && p.stamp == file.Stamp {
		return p, nil
	}
	parsed, err := play.ParsePlayerFor(set, file.Spec)
	if err != nil {
		_, path, isFile := strings.Cut(file.Spec, ":")
		if !isFile {
			return nil, err
		}
		return nil, errors.New(strings.ReplaceAll(strings.ReplaceAll(err.Error(), file.Spec, name), path, filepath.Base(path)))
	}
	if r.players == nil || len(r.players) >= maxPlayers {
		r.players = map[string]*player{}
	}
	p := &player{Player: parsed, stamp: file.Stamp}
	r.players[key] = p
	return p, nil
}

// file returns the text for ParsePlayer of an available name.
func (r *Roster) file(name string) (File, error) {
	if searches.MatchString(name) || offered(name) {
		return File{Spec: name}, nil
	}
	if r.Files != nil {
		if file, ok := r.Files()[name]; ok {
			return file, nil
		}
	}
	return File{}, unknownPlayer(name)
}

// offered reports whether a name is a player of the program that needs no file.
func offered(name string) bool {
	kind, ok := play.KindOf(name)
	return ok && kind.Name != session.Person && kind.Name != "search" &&
		slices.ContainsFunc(kind.Patterns, func(p play.Pattern) bool { return slices.Contains(p.Specs(), name) })
}

// seated returns the player of a name for a session. It looks the player up at its first move,
// so a game can be viewed although its players are unavailable here.
func (r *Roster) seated(set *rules.Rules, name string) play.Player { return guest{r, set, name} }

// guest is a player by name. It is its own seat.
type guest struct {
	roster *Roster
	rules  *rules.Rules
	name   string
}

func (g guest) Name() string                     { return g.name }
func (g guest) Sit(ur.Engine) (play.Seat, error) { return g, nil }

// Choose lets the player choose in an idle seat.
func (g guest) Choose(ctx context.Context, t *play.Turn) (int, error) {
	p, err := g.roster.lookup(g.rules, g.name)
	if err != nil {
		return 0, err
	}
	g.roster.stopPondering(p)
	seat, ok := p.seats.Get().(play.Seat)
	if !ok {
		if err := g.roster.prepare(ctx, p, g.name, g.rules.Pieces()); err != nil {
			return 0, err
		}
		if seat, err = p.Sit(play.FastestChooser()); err != nil {
			return 0, err
		}
	}
	choice, err := seat.Choose(ctx, t)
	if err == nil {
		p.seats.Put(seat)
	}
	return choice, err
}
