package traincmd

import (
	"reflect"
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
	"github.com/seed-09dcdc84/ur/train"
)

func TestMain(m *testing.M) { sandbox.Main(m) }

// unflagged are the fields without a flag: --fleet sets the backend, no result depends on the engine,
// and the table is that of the cache.
var unflagged = []string{"Backend", "Engine", "Table"}

// Every method has a help, and every field of its configuration a flag.
func TestMethodsAreDescribed(t *testing.T) {
	for _, m := range train.Methods() {
		if help := methods[m.Name]; help.short == "" || help.long == "" || help.example == "" {
			t.Errorf("%s has no help (want an entry in methods)", m.Name)
		}
		var described []string
		for _, f := range train.Fields(m.New()) {
			described = append(described, f.Name)
			if f.Help == "" && f.Flag != "rules" { // every command describes --rules alike
				t.Errorf("%s: field %s has no help", m.Name, f.Name)
			}
		}
		for _, field := range reflect.VisibleFields(reflect.TypeOf(m.New()).Elem()) {
			if !field.Anonymous && field.IsExported() && !slices.Contains(append(described, unflagged...), field.Name) {
				t.Errorf("%s: field %s has no tag flag", m.Name, field.Name)
			}
		}
	}
	if len(methods) != len(train.Methods()) {
		t.Errorf("%d methods are described, there are %d", len(methods), len(train.Methods()))
	}
}
