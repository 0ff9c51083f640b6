package train

import (
	"cmp"
	"context"
	"io"
	"reflect"
	"strings"
	"time"
)

// Methods are the ways to learn. A new one is a file with its learner, its configuration
// and its description, and a line here.
var Methods = []Method{evolveMethod, treeMethod, fitMethod, tdMethod, distillMethod}

// Method describes a way to learn, so that a command can offer it.
type Method struct {
	Name    string // as [Learner.Method] returns it
	Short   string // what it does, in one line
	Long    string // how
	Example string // commands, a line each

	// Unit is what is counted, as in "moves"; games where it is empty.
	Unit string

	// Growth is that of a [Run], for a way to learn whose measurements take long.
	Growth float64

	// How long a run goes on by default; 0 is without limit.
	Games int64
	Time  time.Duration

	// New returns a configuration with its defaults. See [Fields] for its fields.
	New func() Config

	// Draw draws what a learner of this method has grown, by the ending of the file, as
	// in ".svg"; nil when there is nothing to draw.
	Draw map[string]func(Learner, io.Writer) error
}

// Counted returns what a run of the method is counted in, as in "games".
func (m Method) Counted() string { return cmp.Or(m.Unit, "games") }

// Config says how to learn: a pointer to a struct. What is wrong with one of its fields
// is found out where the learner is made, and told by a [*play.ConfigError].
type Config interface {
	Learner(ctx context.Context) (Learner, error)
}

// Field is a field of a configuration that a user may set.
type Field struct {
	Name string // of the field
	Flag string // of the command
	Help string
	Only []string // the values that a field of text may have, where they are a few
	Zero bool     // 0 means 0, and not the default

	// Value points to the field. It is a *uint64, *int, *int64, *float64, a pointer to a
	// type of string, *bool, **ur.Brain, *play.Brain, *play.Player, *ur.Engine or *solve.Table.
	Value any
}

// Fields returns the fields of a configuration that have a tag "flag", in their order;
// their help stands in the tag "help", the values there are in the tag "only", and the tag
// zero:"itself" tells of Zero.
func Fields(c Config) []Field { return fieldsOf(reflect.ValueOf(c).Elem()) }

// fieldsOf returns the fields of a struct and of those that are embedded in it.
func fieldsOf(v reflect.Value) (fields []Field) {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if field.Anonymous {
			fields = append(fields, fieldsOf(v.Field(i))...)
		} else if flag, ok := field.Tag.Lookup("flag"); ok {
			fields = append(fields, Field{
				Name: field.Name, Flag: flag, Help: field.Tag.Get("help"), Only: strings.Fields(field.Tag.Get("only")),
				Zero: field.Tag.Get("zero") == "itself", Value: v.Field(i).Addr().Interface(),
			})
		}
	}
	return fields
}
