package playcmd

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/record"
)

// recordForm returns the form of a file that games are to be recorded in, as its ending
// says, or the usual one where it has none, and makes sure that the file can be written,
// before anything is played.
func recordForm(file, usual string) (record.Form, error) {
	form, err := record.FormOf(file)
	if filepath.Ext(file) == "" {
		form, err = record.LookupForm(usual)
	}
	if err != nil {
		return form, cli.UsageError("--record: %w", err)
	}
	if err := wholefile.Check(file); err != nil {
		return form, cli.UsageError("--record: %w", err)
	}
	return form, nil
}

// gameRecord is the record of a game in a file that the user named, if any. What goes
// wrong with it at the end is said, and the game has been played nevertheless.
type gameRecord struct {
	env      *cli.Env
	name     string // "" when there is nothing to record
	form     record.Form
	recorder *play.Recorder
}

// startRecord begins the record of a game; an empty name asks for none.
func startRecord(env *cli.Env, name string, g play.Game, players [2]string) (*gameRecord, error) {
	r := &gameRecord{env: env, name: name, recorder: play.NewRecorder(g, players)}
	if name == "" {
		return r, nil
	}
	var err error
	r.form, err = recordForm(name, "text")
	return r, err
}

// turn adds a turn that is over.
func (r *gameRecord) turn(t *play.Turn) { r.recorder.Turn(t) }

// end saves the record and returns how the command ends: as the game did, unless only the
// record failed.
func (r *gameRecord) end(tally ur.Tally, gameErr error) error {
	if r.name == "" {
		return gameErr
	}
	err := wholefile.Write(r.name, func(w io.Writer) error {
		out := record.NewWriter(w, r.form)
		if err := out.Write(r.recorder.End(tally)); err != nil {
			return err
		}
		return out.Close()
	})
	if err != nil {
		fmt.Fprintf(r.env.Stderr, "ur: --record: %v\n", err)
		if gameErr == nil {
			return errors.New("the game was not recorded")
		}
	}
	return gameErr
}
