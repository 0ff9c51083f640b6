package traincmd

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/train"
)

// helpOf returns the help of a way to learn: its entry in methods, or, for one of another module,
// a help made from its configuration.
func helpOf(m train.Method) methodHelp {
	if help, ok := methods[m.Name]; ok {
		return help
	}
	help := methodHelp{
		short:   "Learn by " + m.Name,
		long:    "Learn by " + m.Name + ", a method of another module than that of ur.",
		example: fmt.Sprintf("  ur train %s -o learned", m.Name),
	}
	config := reflect.TypeOf(m.New()).Elem()
	for _, field := range reflect.VisibleFields(config) {
		if field.IsExported() && !field.Anonymous && hasFlag(field.Type) {
			help.flags = append(help.flags, flagOf(field.Name))
		}
	}
	return help
}

// hasFlag reports whether addFields knows a flag for fields of a type.
func hasFlag(t reflect.Type) bool {
	return t.Kind() == reflect.String || slices.Contains([]reflect.Type{
		reflect.TypeFor[int](), reflect.TypeFor[int64](), reflect.TypeFor[uint64](), reflect.TypeFor[float64](), reflect.TypeFor[bool](),
		reflect.TypeFor[ur.Engine](), reflect.TypeFor[play.Player](), reflect.TypeFor[play.Brain](), reflect.TypeFor[*ur.Brain](), reflect.TypeFor[solve.Table](),
	}, t)
}

// flagOf returns the flag of a field without a help of its own: that of a field of the same name
// in this module or, with its words in small letters and joined by hyphens, that name.
func flagOf(name string) flagHelp {
	for _, help := range []methodHelp{methods["tree"], methods["td"]} {
		if i := slices.IndexFunc(help.flags, func(f flagHelp) bool { return f.field == name }); i >= 0 {
			return help.flags[i]
		}
	}
	return flagHelp{field: name, flag: pick.FlagName(name), help: name + " of the configuration", zero: true}
}
