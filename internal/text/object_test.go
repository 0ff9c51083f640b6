package text

import (
	"strings"
	"testing"
)

func TestObjectKeepsOrderAndValues(t *testing.T) {
	o, err := ParseObject([]byte("{ \"b\" : [1, 2],\n \"a\":null, \"<\": {\"a\":1,\"a\":2} }\n"), "a test")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(o.Encode()), `{"b":[1, 2],"a":null,"\u003c":{"a":1,"a":2}}`; got != want {
		t.Errorf("written as %s, want %s", got, want)
	}
	if value, ok := o.Get("a"); !ok || string(value) != "null" {
		t.Errorf("a is %s (%v)", value, ok)
	}
	if _, ok := o.Get("A"); ok {
		t.Error("A is there")
	}
	if got := string(o.Without("a", "b", "c").Encode()); got != `{"\u003c":{"a":1,"a":2}}` || len(o) != 3 {
		t.Errorf("without a and b it is %s of %d members", got, len(o))
	}
	if got := string(Object(nil).Encode()); got != "{}" {
		t.Errorf("the empty object is %s", got)
	}
}

func TestInvalidObjects(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "line 1: the text ends early (want one JSON object: a test)",
		"{\n\"a\":":           "line 2: the text ends early",
		"[]":                  "line 1: not an object",
		"null":                "line 1: not an object",
		"{\n\"a\":1}\n{}":     "line 3: text after the object",
		"{\"a\":1,\n\"a\":2}": `member "a" given twice (want it once)`,
		"{1:2}":               "line 1:",
		`{"a":x}`:             "line 1: invalid character",
	} {
		if _, err := ParseObject([]byte(text), "a test"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}
