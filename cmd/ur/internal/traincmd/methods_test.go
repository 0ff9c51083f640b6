package traincmd

import (
	"reflect"
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur/train"
)

// Every method has a help, and every field of its configuration a flag.
func TestMethodsAreDescribed(t *testing.T) {
	withoutFlag := []string{
		"TurnLimit", // for tests: games that do not end are given up late enough
		"Arena",     // --fleet sets it
	}
	for _, m := range train.Methods() {
		help := methods[m.Name]
		if help.short == "" || help.long == "" || help.example == "" {
			t.Errorf("%s has no help (want an entry in methods)", m.Name)
		}
		var flags []string
		for _, f := range help.flags {
			flags = append(flags, f.field)
			if f.flag == "" || f.help == "" && f.flag != "rules" { // every command describes --rules alike
				t.Errorf("%s: field %s has no flag or help", m.Name, f.field)
			}
		}
		config := reflect.TypeOf(m.New()).Elem()
		for _, field := range reflect.VisibleFields(config) {
			if !field.Anonymous && field.IsExported() && !slices.Contains(flags, field.Name) && !slices.Contains(withoutFlag, field.Name) {
				t.Errorf("%s: field %s has no flag (want an entry in methods)", m.Name, field.Name)
			}
		}
	}
	if len(methods) != len(train.Methods()) {
		t.Errorf("%d methods are described, there are %d", len(methods), len(train.Methods()))
	}
}
