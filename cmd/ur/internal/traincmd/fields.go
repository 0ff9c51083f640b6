package traincmd

import (
	"fmt"
	"reflect"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/train"
	"github.com/spf13/cobra"
)

// fields are the flags that the tags of a configuration describe. A flag sets a number at once;
// players and rules are looked up by name after parsing.
type fields struct {
	cmd       *cobra.Command
	config    train.Config
	list      []train.Field
	flags     map[string]string // names by field
	resolvers []func() error    // set fields to what flags name

	pieces *int // nil where there is no flag
}

// addFields adds a configuration's flags.
func addFields(cmd *cobra.Command, config train.Config) *fields {
	f := &fields{cmd: cmd, config: config, list: train.Fields(config), flags: map[string]string{}}
	for _, field := range f.list {
		f.flags[field.Name] = field.Flag
		if field.Name == "Pieces" {
			f.pieces = field.Pointer.(*int)
		}
		f.add(field)
	}
	return f
}

// set applies the flags. It rejects a number or text that was typed and is not allowed: a zero that
// stands for a default in a configuration means zero here.
func (f *fields) set() error {
	for _, resolve := range f.resolvers {
		if err := resolve(); err != nil {
			return err
		}
	}
	for _, field := range f.list {
		if f.cmd.Flags().Changed(field.Flag) {
			if err := field.Check(); err != nil {
				return pick.ConfigError(err, f.flags)
			}
		}
	}
	return nil
}

// add adds a field's flag.
func (f *fields) add(field train.Field) {
	cmd, flags := f.cmd, f.cmd.Flags()
	later := func(resolve func() error) { f.resolvers = append(f.resolvers, resolve) }
	player := func(spec string) *string {
		typed := flags.String(field.Flag, spec, field.Help)
		cli.CompleteFlag(cmd, field.Flag, pick.CompletePlayers(false))
		return typed
	}
	switch value := field.Pointer.(type) {
	case *int:
		flags.IntVar(value, field.Flag, *value, field.Help)
	case *int64:
		flags.Int64Var(value, field.Flag, *value, field.Help)
	case *uint64:
		flags.Uint64Var(value, field.Flag, *value, field.Help)
	case *float64:
		flags.Float64Var(value, field.Flag, *value, field.Help)
	case *bool:
		flags.BoolVar(value, field.Flag, *value, field.Help)
	case **board.Rules:
		name := new(string)
		pick.RulesFlag(cmd, name)
		later(func() (err error) { *value, err = f.findRules(*name); return err })
	case *play.Player:
		spec := player(value.Spec)
		later(func() (err error) { *value, err = namedPlayer(field.Flag, *spec); return err })
	case *play.Brain:
		spec := player(value.Spec)
		later(func() (err error) { *value, err = playerBrain(field.Flag, *spec); return err })
	case **ur.Brain:
		spec := player("")
		later(func() error {
			if *spec == "" {
				return nil
			}
			brain, err := playerBrain(field.Flag, *spec)
			*value = brain.Weights
			return err
		})
	default:
		f.addText(field)
	}
}

// addText adds the flag of a field whose kind is string.
func (f *fields) addText(field train.Field) {
	text := reflect.ValueOf(field.Pointer).Elem()
	if text.Kind() != reflect.String {
		panic(fmt.Sprintf("field %s is a %T, of which there is no flag", field.Name, field.Pointer))
	}
	typed := f.cmd.Flags().String(field.Flag, text.String(), field.Help)
	if len(field.Values) > 0 {
		cli.CompleteFrom(f.cmd, field.Flag, field.Values...)
	}
	f.resolvers = append(f.resolvers, func() error { text.SetString(*typed); return nil })
}

// findRules returns the rules of a name, and takes their number of pieces unless one is given.
func (f *fields) findRules(name string) (*board.Rules, error) {
	r, err := board.Find(name)
	if err != nil {
		return nil, cli.UsageError("--rules: %w", err)
	}
	if f.pieces != nil && !f.cmd.Flags().Changed("pieces") {
		*f.pieces = r.Pieces()
	}
	return r, nil
}

// namedPlayer returns a flag's player, the zero Player without one.
func namedPlayer(flag, spec string) (play.Player, error) {
	if spec == "" {
		return play.Player{}, nil
	}
	p, err := pick.Player(spec)
	if err != nil {
		err = cli.UsageError("--%s: %w", flag, err)
	}
	return p, err
}

// playerBrain returns the brain of the player of a flag, or an error if the player has none.
func playerBrain(flag, spec string) (play.Brain, error) {
	p, err := namedPlayer(flag, spec)
	brain, ok := p.Source.(play.Brain)
	if err == nil && !ok {
		err = cli.UsageError("--%s: player %q has no brain (want one such as brain or brain:FILE)", flag, spec)
	}
	return brain, err
}
