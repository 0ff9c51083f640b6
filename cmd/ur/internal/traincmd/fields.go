package traincmd

import (
	"context"
	"fmt"
	"reflect"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/train"
	"github.com/spf13/cobra"
)

// fields are the flags that the tags of a configuration describe. A flag sets a number at once;
// players, engines and rules are looked up by name after parsing, tables by readTables.
type fields struct {
	cmd    *cobra.Command
	config train.Config
	list   []train.Field
	flags  map[string]string // by field
	finds  []look
	tables []look

	pieces *int         // of the tables
	rules  *board.Rules // Finkel's where there is no flag
}

// look sets a field to what a flag names.
type look func(context.Context) error

// addFields adds the flags of a configuration.
func addFields(cmd *cobra.Command, config train.Config) *fields {
	f := &fields{cmd: cmd, config: config, list: train.Fields(config), flags: map[string]string{}, pieces: new(int), rules: board.Finkel()}
	for _, field := range f.list {
		f.flags[field.Name] = field.Flag
		if field.Name == "Pieces" {
			f.pieces = field.Pointer.(*int)
		}
		f.add(field)
	}
	return f
}

// set applies the flags, except for tables. It rejects a number or text that was typed and is
// not allowed: a zero that stands for a default in a configuration means zero here.
func (f *fields) set(ctx context.Context) error {
	if err := each(ctx, f.finds); err != nil {
		return err
	}
	for _, field := range f.list {
		if f.cmd.Flags().Changed(field.Flag) {
			if err := field.Check(f.config); err != nil {
				return pick.ConfigError(err, f.flags)
			}
		}
	}
	return nil
}

// readTables reads the tables: it may have to solve games.
func (f *fields) readTables(ctx context.Context) error { return each(ctx, f.tables) }

func each(ctx context.Context, list []look) error {
	for _, do := range list {
		if err := do(ctx); err != nil {
			return err
		}
	}
	return nil
}

// set returns the look that sets a field to the result of a function, unless that fails.
func set[T any](to *T, find func(context.Context) (T, error)) look {
	return func(ctx context.Context) error {
		found, err := find(ctx)
		if err == nil {
			*to = found
		}
		return err
	}
}

// add adds the flag of a field.
func (f *fields) add(field train.Field) {
	cmd, flags := f.cmd, f.cmd.Flags()
	find := func(l look) { f.finds = append(f.finds, l) }
	table := func(l func(name string) look) {
		name := flags.String(field.Flag, "", field.Help)
		f.tables = append(f.tables, func(ctx context.Context) error { return l(*name)(ctx) })
	}
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
		find(set(value, func(context.Context) (*board.Rules, error) { return f.findRules(*name) }))
	case **solve.Table:
		table(func(name string) look {
			return set(value, func(ctx context.Context) (*solve.Table, error) {
				return pick.Table(ctx, name, f.rules, *f.pieces)
			})
		})
	case *play.Player:
		name := ""
		if *value != nil {
			name = (*value).Name()
		}
		spec := player(name)
		find(set(value, func(context.Context) (play.Player, error) { return namedPlayer(field.Flag, *spec) }))
	case *play.Brain:
		spec := player(value.Name())
		find(set(value, func(context.Context) (play.Brain, error) { return playerBrain(field.Flag, *spec) }))
	case **ur.Brain:
		spec := player("")
		find(set(value, func(context.Context) (*ur.Brain, error) {
			if *spec == "" {
				return nil, nil
			}
			brain, err := playerBrain(field.Flag, *spec)
			return brain.Weights, err
		}))
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
	f.finds = append(f.finds, func(context.Context) error { text.SetString(*typed); return nil })
}

// findRules returns the rules of a name, and takes their number of pieces unless one is given.
func (f *fields) findRules(name string) (*board.Rules, error) {
	r, err := board.Find(name)
	if err != nil {
		return nil, cli.UsageError("--rules: %w", err)
	}
	if !f.cmd.Flags().Changed("pieces") {
		*f.pieces = r.Pieces()
	}
	f.rules = r
	return f.rules, nil
}

// namedPlayer returns the player of a flag, nil without one.
func namedPlayer(flag, spec string) (play.Player, error) {
	if spec == "" {
		return nil, nil
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
	brain, ok := p.(play.Brain)
	if err == nil && !ok {
		err = cli.UsageError("--%s: player %q has no brain (want one such as brain or brain:FILE)", flag, spec)
	}
	return brain, err
}
