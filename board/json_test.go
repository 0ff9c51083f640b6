package board

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

const custom = `{
  "name": "mine", "title": "My game", "about": "A small game.",
  "board": ["###", "###", "###"],
  "light": ["A2", "A1", "B1", "B2", "B3", "A3"],
  "rosettes": ["A1", "C1", "B2"],
  "pieces": 3, "dice": [1, 2, 1],
  "safe_rosettes": true, "roll_after_rosette": true, "roll_after_capture": false
}`

func TestParse(t *testing.T) {
	r := testkit.Must(Parse([]byte(custom)))(t)
	testkit.Equal(t, strings.Join(r.Definition().Dark, " "), "C2 C1 B1 B2 B3 C3", "dark walks")
	if r.Title() != "My game" || r.Pieces() != 3 || r.Squares() != 6 || !r.IsSafe(4) || r.IsShared(6) {
		t.Errorf("%+v", r.Definition())
	}
}

// Every rule set is the same after it is written and read.
func TestParseReadsWhatIsWritten(t *testing.T) {
	mine := testkit.Must(Parse([]byte(custom)))(t)
	for _, r := range append(List(), mine) {
		text := testkit.Must(json.Marshal(r))(t)
		back, err := Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if again, _ := json.Marshal(back); !back.Equal(r) || !bytes.Equal(again, text) {
			t.Errorf("%s reads as %s", text, again)
		}
	}
}

// invalid are changes to the file custom, and a part of the error for each.
var invalid = []struct{ old, new, want string }{
	{`"mine"`, `""`, "name:"},
	{`"mine"`, `"Mine"`, "name:"},
	{`"mine"`, `"my game"`, "name:"},
	{`"mine"`, `"../mine"`, "name:"},
	{`"mine"`, `"a123456789b123456789c123456789d123"`, "name:"},
	{`"mine"`, `"finkel"`, "built-in"},
	{`"mine"`, `"aseb"`, "built-in"},
	{`"My game"`, `"My\u0007game"`, "title:"},
	{`"My game"`, `"` + strings.Repeat("long ", 20) + `"`, "title:"},
	{`"A small game."`, `"` + strings.Repeat("long ", 500) + `"`, "about:"},
	{`"A small game."`, `"A\nsmall game."`, "about:"},
	{`["###", "###", "###"]`, `[]`, "board:"},
	{`["###", "###", "###"]`, `["", "", ""]`, "board[0]:"},
	{`["###", "###", "###"]`, `["###", "##", "###"]`, "board[1]:"},
	{`["###", "###", "###"]`, `["###", "#x#", "###"]`, "board[1]:"},
	{`["###", "###", "###"]`, `["###", "#.#", "###"]`, `light[3]: tile "B2" is a gap`},
	{`["###", "###", "###"]`, `["###", "###"]`, `rosettes[1]: tile "C1" is off the board`},
	{`["###", "###", "###"]`, `["###"]`, `light[2]: tile "B1" is off the board`},
	{`["###", "###", "###"]`, `["###" ` + strings.Repeat(`, "###"`, 26) + `]`, "board: 27 columns"},
	{`["###", "###", "###"]`, `["` + strings.Repeat("#", 31) + `"]`, "board[0]: 31 rows"},
	{`["A2", "A1", "B1", "B2", "B3", "A3"]`, `[]`, "light: 0 tiles"},
	{`"B3", "A3"]`, `"B3", "B2"]`, `light[5]: tile "B2" again`},
	{`"B3", "A3"]`, `"B3", "B3"]`, `light[5]: tile "B3" again`},
	{`"B3", "A3"]`, `"B3", "A4"]`, `light[5]: tile "A4" is off the board`},
	{`"B3", "A3"]`, `"B3", "D3"]`, `light[5]: tile "D3" is off the board`},
	{`"B3", "A3"]`, `"B3", "A1"]`, `light[5]: tile "A1" again`},
	{`"B2", "B3", "A3"]`, `"B3", "A3"]`, `light[3]: tile "B3" (want a tile next to "B1")`},
	{`"B3", "A3"]`, `"B3", "a3"]`, "light[5]:"},
	{`"B3", "A3"]`, `"B3", "A03"]`, "light[5]:"},
	{`"B3", "A3"]`, `"B3", "A+3"]`, "light[5]:"},
	{`"B3", "A3"]`, `"B3", "A0"]`, "light[5]:"},
	{`"B3", "A3"]`, `"B3", "A"]`, "light[5]:"},
	{`"B3", "A3"]`, `"B3", ""]`, "light[5]:"},
	{`"B3", "A3"]`, `"B3", "3A"]`, "light[5]:"},
	{`"B3", "A3"]`, `"B3", "A99999999999999999999"]`, "light[5]:"},
	{`"B3", "A3"]`, `"B3", null]`, "light:"},
	{`"B3", "A3"]`, `"B3", 7]`, "light:"},
	{`"rosettes"`, `"dark": [], "rosettes"`, "dark: 0 tiles"},
	{`"rosettes"`, `"dark": ["C2"], "rosettes"`, `rosettes[1]: tile "C1" is on no path`},
	{`"rosettes"`, `"dark": ["C2", "C1", "B1", "B2", "B3"], "rosettes"`, "dark: 5 tiles (want 6 as in light)"},
	{`"rosettes"`, `"dark": ["C3", "C2", "C1", "B1", "B2", "B3"], "rosettes"`, "rosettes: one of"},
	{`"rosettes"`, `"dark": ["A2", "C1", "B1", "B2", "B3", "C3"], "rosettes"`, "dark[1]:"},
	{`["A1", "C1", "B2"]`, `["A1", "B2"]`, `rosettes: one of "A1" and "C1"`},
	{`["A1", "C1", "B2"]`, `["A1", "C1", "A1"]`, `rosettes[2]: tile "A1" again`},
	{`["A1", "C1", "B2"]`, `["A1", "C1", "B4"]`, `rosettes[2]: tile "B4" is off the board`},
	{`["A1", "C1", "B2"]`, `["A1", "C1", "4B"]`, "rosettes[2]:"},
	{`"pieces": 3`, `"pieces": 0`, "pieces: 0 (want 1 to 10)"},
	{`"pieces": 3`, `"pieces": 11`, "pieces: 11 (want 1 to 10)"},
	{`"pieces": 3`, `"pieces": -3`, "pieces:"},
	{`"pieces": 3`, `"pieces": 2.5`, "pieces:"},
	{`"pieces": 3`, `"pieces": 1e400`, "pieces:"},
	{`"pieces": 3`, `"pieces": NaN`, "line 6:"},
	{`[1, 2, 1]`, `[]`, "dice: 0 weights"},
	{`[1, 2, 1]`, `[1]`, "dice: 1 weights"},
	{`[1, 2, 1]`, `[0, 0]`, "dice[1]: weight 0"},
	{`[1, 2, 1]`, `[1, 0]`, "dice[1]: weight 0"},
	{`[1, 2, 1]`, `[1, 2, 0]`, "dice[2]: weight 0"},
	{`[1, 2, 1]`, `[1, -2, 1]`, "dice[1]: weight -2"},
	{`[1, 2, 1]`, `[1, 65537, 1]`, "dice[1]: weight 65537"},
	{`[1, 2, 1]`, `[1, 2.5, 1]`, "dice:"},
	{`[1, 2, 1]`, `[1, NaN, 1]`, "line 6:"},
	{`[1, 2, 1]`, `[1, null, 1]`, "dice:"},
	{`[1, 2, 1]`, `[1, 1e99, 1]`, "dice:"},
	{`[1, 2, 1]`, `[0, 0, 1]`, "never come home"},
	{`[1, 2, 1]`, `[0, 0, 1, 1]`, "never come home"},
	{`[1, 2, 1]`, `[1, 1, 1, 1, 1, 1, 1, 1, 1]`, "dice[8]: a roll longer than the path"},
	{`[1, 2, 1]`, `[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]`, "dice: 17 weights"},
	{`"safe_rosettes": true`, `"safe_rosettes": 1`, "safe_rosettes:"},
	{`"safe_rosettes"`, `"Safe_Rosettes"`, "unknown field"},
	{`"safe_rosettes"`, `"safe"`, "unknown field"},
	{`{`, `[`, "line 1:"},
	{`{`, `{{`, "line 1:"},
	{`false
}`, `false
} {}`, "line 8:"},
	{`false
}`, `false
}]`, "line 8:"},
	{`"dice"`, `"dice" "dice"`, "line 6:"},
	{`"dice"`, `7`, "line 6:"},
	{`"about"`, `"` + strings.Repeat("x", maxFile) + `"`, "more than 1048576 bytes"},
}

// generated returns invalid files made from custom by the same change to each member, and
// files cut short.
func generated(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	var d Definition
	for _, f := range d.jsonFields() {
		var members map[string]json.RawMessage
		change := func(what, value string) {
			testkit.NoError(t, json.Unmarshal([]byte(custom), &members))
			delete(members, f.name)
			if value != "" {
				members[f.name] = json.RawMessage(value)
			}
			files[f.name+" "+what] = string(testkit.Must(json.Marshal(members))(t))
		}
		if !f.optional {
			change("missing", "")
		}
		change("null", "null")
		change("object", `{"a": 1}`)
		change("list of lists", "[[]]")
		change("list of null", "[null]")
		if _, ok := f.value.(*string); !ok {
			change("text", `"x"`)
		}
		if _, ok := f.value.(*int); !ok {
			change("number", "7")
		}
		if _, ok := f.value.(*bool); !ok {
			change("truth", "true")
		}
		files[f.name+" twice"] = strings.Replace(custom, "{", fmt.Sprintf(`{"dark": null, %q: 1, %[1]q: 1,`, f.name), 1)
		files[f.name+" in capitals"] = strings.Replace(custom, "{", fmt.Sprintf(`{%q: 1,`, strings.ToUpper(f.name)), 1)
	}
	for n := 0; n < len(custom)-1; n += 6 {
		files[fmt.Sprintf("cut at byte %d", n)] = custom[:n]
	}
	return files
}

func TestInvalidFiles(t *testing.T) {
	refused := 0
	for _, test := range invalid {
		text := strings.Replace(custom, test.old, test.new, 1)
		if text == custom {
			t.Fatalf("%s is not in the file", test.old)
		}
		_, err := Parse([]byte(text))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s -> %.80s: error %v (want %q)", test.old, test.new, err, test.want)
			continue
		}
		refused++
	}
	for what, text := range generated(t) {
		_, err := Parse([]byte(text))
		if err == nil {
			t.Errorf("%s: accepted", what)
			continue
		}
		if field, _, _ := strings.Cut(what, " "); field != "cut" &&
			!strings.Contains(strings.ToLower(err.Error()), field) && field != "dark" &&
			!strings.Contains(err.Error(), "dark") {
			t.Errorf("%s: error %q does not name the field", what, err)
		}
		if !strings.Contains(err.Error(), "want") {
			t.Errorf("%s: error %q does not name the accepted form", what, err)
		}
		refused++
	}
	if refused < 200 {
		t.Errorf("%d files refused, want 200 or more", refused)
	}
	t.Logf("%d files refused", refused)
}

func TestFind(t *testing.T) {
	for _, name := range Names() {
		if r, err := Find(name); err != nil || r.Name() != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	testkit.WantError(t, testkit.ErrorOf(Find("chess")), "want "+strings.Join(Names(), ", ")+", or a JSON file",
		"Find")
	path := filepath.Join(t.TempDir(), "mine.json")
	testkit.NoError(t, os.WriteFile(path, []byte(custom), 0o666))
	if r, err := Find(path); err != nil || r.Name() != "mine" {
		t.Errorf("a file: %v", err)
	}
	testkit.NoError(t, os.WriteFile(path, []byte("{}"), 0o666))
	for _, bad := range []string{path, filepath.Dir(path), path + ".none"} {
		testkit.WantError(t, testkit.ErrorOf(Find(bad)), bad, "Find")
	}
}

// Parse never panics, and an accepted rule set survives writing and reading and plays.
func FuzzParse(f *testing.F) {
	f.Add([]byte(custom))
	for _, r := range List() {
		f.Add(testkit.Must(json.Marshal(r))(f))
	}
	for _, test := range invalid[:60] {
		f.Add([]byte(strings.Replace(custom, test.old, test.new, 1)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Parse(text)
		if err != nil {
			if !strings.Contains(err.Error(), "want") {
				t.Errorf("error %q does not name the accepted form", err)
			}
			return
		}
		out := testkit.Must(json.Marshal(r))(t)
		if back, err := Parse(out); err != nil || !back.Equal(r) {
			t.Fatalf("%s: %v", out, err)
		}
		playout(t, r, 1, 200)
	})
}

// A rule set made in Go without a list of rosettes is written in a form that can be read.
func TestWriteWithoutRosettes(t *testing.T) {
	d := Finkel().Definition()
	d.Name, d.Rosettes = "plain", nil
	r := testkit.Must(New(d))(t)
	text := testkit.Must(json.Marshal(r))(t)
	if again, err := Parse(text); err != nil || !again.Equal(r) {
		t.Errorf("%s: %v", text, err)
	}
}
