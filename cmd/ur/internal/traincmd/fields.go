package traincmd

import (
	"context"
	"fmt"
	"reflect"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/train"
	"github.com/spf13/cobra"
)

// fields are the flags derived from the configuration of a learning method. A flag sets a
// number at once; players, engines and tables are looked up by name after parsing.
type fields struct {
	flags  map[string]string // by field
	finds  []func(context.Context) error
	tables []func(context.Context) error // slow, so they come last
}

// field is a field of a configuration and its flag.
type field struct {
	flagHelp

	// value points to the field. It is a *uint64, *int, *int64, *float64, a pointer to a
	// type of string, *bool, **rules.Rules, **ur.Brain, *play.Brain, *play.Player, *ur.Engine, *solve.Table or *solve.Ranked.
	value any
}

// fieldsOf returns the fields of a configuration that have flags.
func fieldsOf(c train.Config, help methodHelp) (list []field) {
	for _, h := range help.flags {
		list = append(list, field{h, reflect.ValueOf(c).Elem().FieldByName(h.field).Addr().Interface()})
	}
	return list
}

// addFields adds the flags of a configuration. It leaves out those of a run, which all learning
// methods share.
func addFields(cmd *cobra.Command, list []field) *fields {
	f := &fields{flags: map[string]string{}}
	pieces, set := new(int), new(*rules.Rules) // of the table
	for _, field := range list {
		f.flags[field.field] = field.flag
		if field.field == "Pieces" {
			pieces = field.value.(*int)
		}
		if r, ok := field.value.(**rules.Rules); ok {
			set = r
		}
	}
	for _, field := range list {
		if cmd.Flags().Lookup(field.flag) == nil {
			f.add(cmd, field, pieces, set)
		}
	}
	return f
}

// add adds the flag of a field.
func (f *fields) add(cmd *cobra.Command, field field, pieces *int, set **rules.Rules) {
	flags := cmd.Flags()
	defer f.refuseZero(cmd, field)
	switch value := field.value.(type) {
	case *int:
		flags.IntVar(value, field.flag, *value, field.help)
	case *int64:
		flags.Int64Var(value, field.flag, *value, field.help)
	case *uint64:
		flags.Uint64Var(value, field.flag, *value, field.help)
	case *float64:
		flags.Float64Var(value, field.flag, *value, field.help)
	case *bool:
		flags.BoolVar(value, field.flag, *value, field.help)
	case *ur.Engine:
		name := new(string)
		pick.EngineFlag(cmd, name, field.help)
		f.find(func(context.Context) (err error) { *value, err = pick.Engine(*name); return err })
	case *solve.Table:
		name := flags.String(field.flag, "", field.help)
		f.tables = append(f.tables, func(ctx context.Context) (err error) {
			*value, err = pick.Table(ctx, *name, *pieces)
			return err
		})
	case **rules.Rules:
		name := new(string)
		pick.RulesFlag(cmd, name)
		f.find(func(context.Context) (err error) { *value, err = pick.Rules(cmd, *name, pieces); return err })
	case *solve.Ranked:
		name := flags.String(field.flag, "", field.help)
		f.tables = append(f.tables, func(ctx context.Context) (err error) {
			*value, err = pick.RankedTable(ctx, *name, *set, *pieces)
			return err
		})
	case *play.Player:
		name := ""
		if *value != nil {
			name = (*value).Name()
		}
		spec := addPlayer(cmd, field, name)
		f.find(func(context.Context) (err error) {
			if *spec == "" {
				return nil
			}
			if *value, err = pick.Player(*spec); err != nil {
				return cli.UsageError("--%s: %w", field.flag, err)
			}
			return nil
		})
	case *play.Brain:
		spec := addPlayer(cmd, field, value.Name())
		f.find(func(context.Context) (err error) { *value, err = playerBrain(field.flag, *spec); return err })
	case **ur.Brain:
		spec := addPlayer(cmd, field, "")
		f.find(func(context.Context) error {
			if *spec == "" {
				return nil
			}
			brain, err := playerBrain(field.flag, *spec)
			*value = brain.Weights
			return err
		})
	default:
		text := reflect.ValueOf(value).Elem()
		if text.Kind() != reflect.String {
			panic(fmt.Sprintf("field %s is a %T, of which there is no flag", field.field, value))
		}
		typed := flags.String(field.flag, text.String(), field.help)
		if len(field.only) > 0 {
			cli.CompleteFrom(cmd, field.flag, field.only...)
		}
		f.find(func(context.Context) error { text.SetString(*typed); return nil })
	}
}

// refuseZero rejects an explicit 0 for a number with another default: in a configuration 0
// means the default, but a user who types 0 means zero.
func (f *fields) refuseZero(cmd *cobra.Command, field field) {
	value := reflect.ValueOf(field.value).Elem()
	if !(value.CanInt() || value.CanFloat()) || value.IsZero() || field.zero {
		return
	}
	f.find(func(context.Context) error {
		if value.IsZero() {
			return cli.UsageError("--%s must not be 0", field.flag)
		}
		return nil
	})
}

// find adds something to do when the flags have been read.
func (f *fields) find(do func(context.Context) error) { f.finds = append(f.finds, do) }

// set applies the flags.
func (f *fields) set(ctx context.Context) error {
	for _, do := range append(f.finds, f.tables...) {
		if err := do(ctx); err != nil {
			return err
		}
	}
	return nil
}

// addPlayer adds the flag of a player.
func addPlayer(cmd *cobra.Command, field field, spec string) *string {
	typed := cmd.Flags().String(field.flag, spec, field.help)
	cli.CompleteFlag(cmd, field.flag, pick.CompletePlayers(false))
	return typed
}

// playerBrain returns the brain of the player of a flag, or an error if the player has none.
func playerBrain(flag, spec string) (play.Brain, error) {
	p, err := pick.Player(spec)
	if err != nil {
		return play.Brain{}, cli.UsageError("--%s: %w", flag, err)
	}
	brain, ok := p.(play.Brain)
	if !ok {
		return play.Brain{}, cli.UsageError("--%s: player %q has no brain (want one such as brain or brain:FILE)", flag, spec)
	}
	return brain, nil
}
