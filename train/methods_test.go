package train

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/solve/solvetest"
)

// smallLearner returns a learner of a method that is quick to test: the fields that a
// configuration has are set to small values, and then changed.
func smallLearner(t testing.TB, m Method, seed uint64, parallel int, change func(Config)) Learner {
	t.Helper()
	c := m.New()
	for name, value := range map[string]any{
		"Seed": seed, "Pieces": 2, "Parallel": parallel, "Hidden": "16,5", "Positions": int64(50_000), "Pairs": 6,
		"Lanes": 16, "Table": solvetest.Table(t, 2),
	} {
		field := reflect.ValueOf(c).Elem().FieldByName(name)
		if field.IsValid() {
			field.Set(reflect.ValueOf(value))
		}
	}
	if field := reflect.ValueOf(c).Elem().FieldByName("Games"); field.IsValid() && field.Kind() == reflect.Int {
		field.SetInt(64) // of a pair; of a run where it is an int64
	}
	if change != nil {
		change(c)
	}
	return testkit.Must(c.Learner(t.Context()))(t)
}

// variant is a method with settings that take another way.
type variant struct {
	Method
	name   string
	change func(Config)
}

// variants returns all methods, and settings that change their course.
func variants() (list []variant) {
	for _, m := range Methods() {
		list = append(list, variant{m, m.Name, nil})
		switch m.Name {
		case "td":
			list = append(list, variant{m, "td-sequential", func(c Config) {
				d := c.(*TDConfig)
				d.Sequential, d.Epsilon = true, 0.1
			}}, variant{m, "td-plies", func(c Config) { c.(*TDConfig).Plies = 2 }},
				variant{m, "td-pool", func(c Config) { c.(*TDConfig).Opponents = tdPool }},
				variant{m, "td-counts", func(c Config) { c.(*TDConfig).Inputs = tdCounts }})
		case "tree":
			list = append(list, variant{m, "tree-rival", func(c Config) { c.(*TreeConfig).Rival.Spec = treeName }})
		case "fit":
			list = append(list, variant{m, "fit-start", func(c Config) { c.(*FitConfig).Start = ur.ClassicBrain() }},
				variant{m, "fit-value", func(c Config) { c.(*FitConfig).Target = fitValue }})
		}
	}
	return list
}

// finishSteps takes steps until the learner is finished, and returns their number.
func finishSteps(t testing.TB, l Learner) (n int) {
	t.Helper()
	for ; ; n++ {
		_, err := l.Step(t.Context())
		if _, finished := errors.AsType[Finished](err); finished {
			return n
		}
		testkit.NoError(t, err)
	}
}

// learnerOf returns the learner of a configuration, of the type that it has.
func learnerOf[L Learner](t testing.TB, c Config) L {
	t.Helper()
	return testkit.Must(c.Learner(t.Context()))(t).(L)
}

// steps takes steps, and returns the state behind them.
func steps(t *testing.T, l Learner, n int) string {
	t.Helper()
	for range n {
		testkit.FatalIf(t, testkit.Must(l.Step(t.Context()))(t) < 1, "a step without a game")
	}
	return stateOf(t, l)
}

// stateOf returns the state of a learner as a checkpoint has it.
func stateOf(t testing.TB, l Learner) string {
	t.Helper()
	return string(testkit.Must(json.Marshal(l.State()))(t))
}

// written returns the result of a learner.
func written(t *testing.T, l Learner) string {
	t.Helper()
	return testkit.Written(t, func(w io.Writer) error {
		return (&Run{Learner: l}).WriteResult(w, Provenance{Command: "test"})
	})
}

// Every method keeps the promises of [Learner]: the same bits on any number of threads and
// over an interruption, and the same state after an error.
func TestMethods(t *testing.T) {
	before, after := testkit.Trials(1, 3), testkit.Trials(1, 2)
	names := map[string]bool{}
	for _, v := range variants() {
		t.Run(v.name, func(t *testing.T) {
			testkit.SkipIf(t, (v.name == "fit-value" || v.name == "fit-start") && !testkit.Long(),
				"a fit of the order takes the same steps")
			whole := smallLearner(t, v.Method, 5, 4, v.change)
			testkit.Equal(t, names[v.name], false, "method %q is listed before", v.name)
			names[v.name] = true
			half := steps(t, whole, before)
			end := steps(t, whole, after)
			testkit.FatalIf(t, half == end, "steps change nothing")
			other := steps(t, smallLearner(t, v.Method, 6, 4, v.change), before)
			testkit.ErrorIf(t, other == half, "another seed gives the same state")
			one := smallLearner(t, v.Method, 5, 1, v.change)
			testkit.Equal(t, steps(t, one, before), half, "the state on one thread")
			stopped(t, one, half)
			resumed := smallLearner(t, v.Method, 5, 2, v.change)
			testkit.NoError(t, setState(resumed, []byte(half)))
			wrong := []string{"", "{", "[]", `"x"`}
			if hasList(reflect.TypeOf(whole.State())) {
				wrong = append(wrong, `{"params":[1]}`) // too short, or not there
			}
			for _, bad := range wrong {
				testkit.WantError(t, setState(resumed, []byte(bad)), "", "the state %q was taken", bad)
			}
			for name, l := range map[string]Learner{"stopped": one, "resumed": resumed} {
				testkit.Equal(t, steps(t, l, after) == end, true, "a %s learner has the same state", name)
				testkit.Equal(t, written(t, l) == written(t, whole), true, "a %s learner has the same result", name)
			}
		})
	}
}

// hasList reports whether a state is a list or has one, whose length [setState] checks.
func hasList(t reflect.Type) bool {
	return t.Kind() == reflect.Slice || slices.ContainsFunc(reflect.VisibleFields(t),
		func(f reflect.StructField) bool { return f.Type.Kind() == reflect.Slice })
}

// A configuration that cannot be learned with is refused.
func TestConfigsAreChecked(t *testing.T) {
	table := solvetest.Table(t, 2)
	brain, net := BrainConfig{Pieces: 2}, NetConfig{Pieces: 2}
	for name, c := range map[string]Config{
		"evolve: pieces":  &EvolveConfig{BrainConfig: BrainConfig{Pieces: 8}},
		"evolve: threads": &EvolveConfig{BrainConfig: BrainConfig{Parallel: -1}},
		"evolve: pairs":   &EvolveConfig{Pairs: -1},
		"evolve: odd":     &EvolveConfig{Games: 3},
		"evolve: spread":  &EvolveConfig{Spread: 2},
		"evolve: nan":     &EvolveConfig{Spread: math.NaN()},

		"fit: larger games":    &FitConfig{Table: table},
		"fit: unknown target":  &FitConfig{Table: table, BrainConfig: brain, Target: "best"},
		"fit: negative games":  &FitConfig{Table: table, BrainConfig: brain, Games: -1},
		"fit: pieces":          &FitConfig{Table: table, BrainConfig: BrainConfig{Pieces: 8}},
		"fit: nothing to pick": &FitConfig{Table: table, BrainConfig: BrainConfig{Pieces: 1}},

		"tree: gain": &TreeConfig{Gain: -1}, "tree: exploration": &TreeConfig{Exploration: -1}, "tree: prior": &TreeConfig{Prior: -1},

		"td: lambda": &TDConfig{Lambda: 1.5}, "td: negative lambda": &TDConfig{Lambda: -1},
		"td: rate": &TDConfig{Rate: -1}, "td: epsilon": &TDConfig{Epsilon: 2},
		"td: plies": &TDConfig{Plies: 3}, "td: lanes": &TDConfig{Lanes: -1},
		"td: rate moves": &TDConfig{RateMoves: -1}, "td: games": &TDConfig{Games: -1},
		"td: opponents": &TDConfig{Opponents: "all"}, "td: inputs": &TDConfig{Inputs: "bits"},
		"td: one piece": &TDConfig{NetConfig: NetConfig{Pieces: 1}},
		"td: hidden":    &TDConfig{NetConfig: NetConfig{Hidden: "a"}},
		"td: start":     &TDConfig{NetConfig: NetConfig{Start: "testdata/none.safetensors"}},

		"distill: larger games": &DistillConfig{Table: table},
		"distill: positions":    &DistillConfig{Table: table, NetConfig: net, Positions: -1},
		"distill: rate":         &DistillConfig{Table: table, NetConfig: net, Rate: 2},
		"distill: order":        &DistillConfig{Table: table, NetConfig: net, Order: 1.5},
		"distill: sharpness":    &DistillConfig{Table: table, NetConfig: net, Sharpness: math.NaN()},
		"distill: weight":       &DistillConfig{Table: table, NetConfig: net, Weight: -1},
	} {
		testkit.WantError(t, testkit.ErrorOf(c.Learner(t.Context())), "", "%s: taken", name)
	}
}

// FuzzStates wants any state of any method to be refused or taken up.
func FuzzStates(f *testing.F) {
	learners := map[string]Learner{}
	for _, m := range Methods() {
		l := smallLearner(f, m, 5, 1, nil)
		f.Add(m.Name, []byte(stateOf(f, l)))
		testkit.Must(l.Step(f.Context()))(f)
		f.Add(m.Name, []byte(stateOf(f, l)))
		learners[m.Name] = l
	}
	f.Add("evolve", []byte(`{"metric_brain":[1]}`))
	f.Add("tree", []byte(`[{"p":-1},{"p":0,"s":16}]`))
	f.Add("tree", []byte(`[{"p":0}]`))
	f.Add("tree", []byte(`null`))
	f.Fuzz(func(t *testing.T, method string, text []byte) {
		if l, ok := learners[method]; ok && setState(l, text) == nil {
			l.Result()
		}
	})
}

// A step of td that diverges leaves the state unchanged, so the learner can be continued and saved.
func TestDivergedStepChangesNothing(t *testing.T) {
	for _, sequential := range []bool{false, true} {
		l := learnerOf[*tdLearner](t, &TDConfig{NetConfig: NetConfig{Pieces: 2, Hidden: "4"}, Sequential: sequential})
		steps(t, l, 1)
		for i := range l.model.Params {
			l.model.Params[i] = math.MaxFloat32
		}
		l.model.Changed()
		before := steps(t, l, 0)
		testkit.WantError(t, testkit.ErrorOf(l.Step(t.Context())), "no longer a number", "sequential %t", sequential)
		testkit.Equal(t, steps(t, l, 0), before, "sequential %t: the state after the step", sequential)
	}
}

// stopped stops steps of a learner at several times. A step that was stopped leaves the
// state as it was; the state of one that was not is set back.
func stopped(t *testing.T, l Learner, state string) {
	t.Helper()
	stop := func(after time.Duration) (took time.Duration) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if after == 0 {
			cancel()
		} else {
			defer time.AfterFunc(after, cancel).Stop()
		}
		begin := time.Now()
		_, err := l.Step(ctx)
		took = time.Since(begin)
		if err == nil {
			testkit.NoError(t, setState(l, []byte(state)))
		} else if steps(t, l, 0) != state {
			t.Fatalf("a step that was stopped after %v changed the state (%v)", after, err)
		}
		return took
	}
	stop(0)
	step := min(stop(time.Hour), stop(time.Hour))
	const stops = 3
	for i := range stops {
		stop(step * time.Duration(i+1) / stops)
	}
}

type seedless struct{ Rounds int }

func (*seedless) Learner(context.Context) (Learner, error) { return nil, errors.New("no learner") }

type seeded struct{ Seed uint64 }

func (*seeded) Learner(context.Context) (Learner, error) { return nil, errors.New("no learner") }

func TestRegister(t *testing.T) {
	t.Cleanup(func() { registered.methods = nil })
	mine := Method{Name: "mine", New: func() Config { return new(seeded) }}
	testkit.NoError(t, Register(mine))
	methods := Methods()
	testkit.MustEqual(t, len(methods), len(builtIn())+1, "methods")
	testkit.Equal(t, methods[len(methods)-1].Name, "mine", "the last method")
	for _, c := range []struct {
		want string
		m    Method
	}{
		{`name "mine" is already registered`, mine},
		{`name "td" is already registered`, Method{Name: "td", New: mine.New}},
		{`name "" is invalid`, Method{New: mine.New}},
		{`name "My way" is invalid`, Method{Name: "My way", New: mine.New}},
		{"New must return", Method{Name: "other"}},
		{"New must return", Method{Name: "other", New: func() Config { return new(seedless) }}},
		{"New must return", Method{Name: "other", New: func() Config { return nil }}},
		{"New must return", Method{Name: "other", New: func() Config { return (*seeded)(nil) }}},
	} {
		testkit.WantError(t, Register(c.m), c.want, "%q", c.m.Name)
	}
}

// A seed names a result on every machine, whether or not the compiler fuses products and
// sums: the state of every way to learn, after some steps, has one hash.
func TestSameBits(t *testing.T) {
	solved := solvetest.Map(solvetest.Table(t, 2), func(x float64) float64 { // as a compact table does: the solution itself is fused
		return math.Round(x*(1<<16)) / (1 << 16)
	})
	plain := testkit.Must(engine.Lookup("bits/incremental"))(t)
	brain := BrainConfig{Seed: 3, Pieces: 2}
	for _, test := range []struct {
		config Config
		steps  int
		want   string
	}{
		{&TreeConfig{Seed: 3}, 8, "ba074a9c49a8898f"},
		{&FitConfig{Table: solved, Games: 3 * fitGames, BrainConfig: brain}, 3, "825535f09d7178a6"},
		{&FitConfig{Table: solved, Games: 2 * fitGames, Target: fitValue, BrainConfig: brain}, 2, "c0bfe00ae6dd8eb2"},
		{&TDConfig{Lambda: 0.7, Epsilon: 0.05, Lanes: 16, Plies: 2,
			NetConfig: NetConfig{Seed: 3, Pieces: 2, Hidden: "8,5"}}, 4, "73e905f3b9ef9ddb"},
		{&TDConfig{Lambda: 0.7, Lanes: 16, Opponents: tdPool, NetConfig: NetConfig{Seed: 3, Pieces: 2, Hidden: "8"}}, 12, "42c53b009e98a089"},
		{&TDConfig{Lambda: 0.7, Lanes: 16, Inputs: tdCounts, NetConfig: NetConfig{Seed: 3, Pieces: 2, Hidden: "8"}}, 4, "354c3b70b6ac7702"},
		{&TDConfig{Lambda: 0.7, Sequential: true, NetConfig: NetConfig{Seed: 3, Pieces: 2, Hidden: "8"}}, 2,
			"2bb19389fc768632"},
		{&DistillConfig{Table: solved, Positions: 30_000, Order: 0.5,
			NetConfig: NetConfig{Seed: 3, Pieces: 2, Hidden: "8,5"}}, 50, "80afd3763edd47a9"},
		{&EvolveConfig{Pairs: 6, Games: 64, BrainConfig: brain}, linearGenerations + 3, "370e1378e9537154"},
		{&EvolveConfig{Pairs: 6, Games: 64, BrainConfig: BrainConfig{Seed: 3, Pieces: 2, Engine: plain}},
			linearGenerations + 3, "370e1378e9537154"},
	} {
		learner := testkit.Must(test.config.Learner(t.Context()))(t)
		sum := sha256.Sum256([]byte(steps(t, learner, test.steps)))
		testkit.Equal(t, hex.EncodeToString(sum[:8]), test.want, "%T has the state", learner)
	}
}
