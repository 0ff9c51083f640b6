package game

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/play/session"
	"golang.org/x/sync/singleflight"
)

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
