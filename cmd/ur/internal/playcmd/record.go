package playcmd

import (
	"errors"
	"fmt"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
	"github.com/seed-09dcdc84/ur/play"
)

// gameRecord is the record of a game in a file that the user named, if any. What
// goes wrong with it is said at once and does not stop the game.
type gameRecord struct {
	env      *cli.Env
	file     *wholefile.File // nil when there is nothing to record, or no file for it
	recorder *play.Recorder
	err      error
}

// startRecord begins the record of a game; an empty name asks for none.
func startRecord(env *cli.Env, name string, g play.Game, players [2]string) *gameRecord {
	r := &gameRecord{env: env}
	if name == "" {
		return r
	}
	file, err := wholefile.Create(name)
	if err != nil {
		r.fail(err)
		return r
	}
	r.file = file
	r.recorder = play.NewRecorder(file, g, players)
	return r
}

// turn adds a turn that is over.
func (r *gameRecord) turn(t *play.Turn) {
	if r.file != nil {
		r.recorder.Turn(t)
	}
}

// end saves the record and returns how the command ends: as the game did, unless
// only the record failed.
func (r *gameRecord) end(tally ur.Tally, gameErr error) error {
	if r.file != nil {
		if err := r.recorder.End(tally); err != nil {
			r.file.Discard()
			r.fail(err)
		} else if err := r.file.Save(); err != nil {
			r.file.Discard()
			r.fail(err)
		}
	}
	if gameErr == nil && r.err != nil {
		return errors.New("the game was not recorded")
	}
	return gameErr
}

// fail says what went wrong and remembers it.
func (r *gameRecord) fail(err error) {
	r.err = err
	fmt.Fprintf(r.env.Stderr, "ur: --record: %v\n", err)
}
