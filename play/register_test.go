package play

import (
	"strings"
	"testing"
)

// A kind of another module is parsed like those of this one.
func TestRegister(t *testing.T) {
	t.Cleanup(func() { registered.kinds = nil })
	kind := Kind{Name: "fixture", Patterns: []Pattern{{Text: "fixture", Help: "always the last legal move"}}, Parse: single(Player{Spec: "fixture", New: First.New})}
	if err := Register(kind); err != nil {
		t.Fatal(err)
	}
	p, err := ParsePlayer("fixture")
	if err != nil || p.Spec != "fixture" {
		t.Errorf("player %q, error %v", p.Spec, err)
	}
	for want, k := range map[string]Kind{
		"name \"fixture\" is already registered": kind,
		"name \"brain\" is already registered":   {Name: "brain", Patterns: []Pattern{{Text: "brain"}}, Parse: single(First)},
		"name \"\" is invalid":                   {},
		"name \"a:b\" is invalid":                {Name: "a:b"},
		"Parse is nil":                           {Name: "mine"},
		"Patterns is empty":                      {Name: "mine", Parse: single(First)},
		"pattern \"yours\"":                      {Name: "mine", Patterns: []Pattern{{Text: "yours"}}, Parse: single(First)},
		"pattern \"mineral\"":                    {Name: "mine", Patterns: []Pattern{{Text: "mine:FILE"}, {Text: "mineral"}}, Parse: single(First)},
	} {
		if err := Register(k); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want %q", k.Name, err, want)
		}
	}
	if n := len(Kinds()) - len(builtIn()); n != 1 {
		t.Errorf("%d kinds are registered, want 1", n)
	}
}
