package traincmd

import (
	"reflect"
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/train"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// unflagged are the fields without a flag: --fleet sets the backend, no result depends on the engine,
// and the table is that of the cache.
var unflagged = []string{"Backend", "Engine", "Table"}

// Every method has a help, and every field of its configuration a flag.
func TestMethodsAreDescribed(t *testing.T) {
	for _, m := range train.Methods() {
		help := methods[m.Name]
		testkit.ErrorIf(t, help.short == "" || help.long == "" || help.example == "",
			"%s has no help (want an entry in methods)", m.Name)
		var described []string
		for _, f := range train.Fields(m.New()) {
			described = append(described, f.Name)
			// Every command describes --rules alike.
			testkit.ErrorIf(t, f.Tag.Get("help") == "" && f.Flag != "rules", "%s: field %s has no help", m.Name, f.Name)
		}
		for _, field := range reflect.VisibleFields(reflect.TypeOf(m.New()).Elem()) {
			known := slices.Contains(append(described, unflagged...), field.Name)
			testkit.ErrorIf(t, !known && !field.Anonymous && field.IsExported(),
				"%s: field %s has no tag flag", m.Name, field.Name)
		}
	}
	testkit.Equal(t, len(methods), len(train.Methods()), "methods that are described")
}
