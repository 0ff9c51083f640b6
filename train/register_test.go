package train

import (
	"context"
	"errors"
	"strings"
	"testing"
)

type seedless struct{ Rounds int }

func (*seedless) Learner(context.Context) (Learner, error) { return nil, errors.New("no learner") }

type seeded struct{ Seed uint64 }

func (*seeded) Learner(context.Context) (Learner, error) { return nil, errors.New("no learner") }

func TestRegister(t *testing.T) {
	t.Cleanup(func() { registered.methods = nil })
	mine := Method{Name: "mine", New: func() Config { return new(seeded) }}
	if err := Register(mine); err != nil {
		t.Fatal(err)
	}
	methods := Methods()
	if len(methods) != len(builtIn())+1 || methods[len(methods)-1].Name != "mine" {
		t.Errorf("the methods are %+v", methods)
	}
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
		if err := Register(c.m); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %q", c.m.Name, err, c.want)
		}
	}
}
