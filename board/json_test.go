package board

import (
	"encoding/json"
	"fmt"
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
	testkit.Equal(t, []any{r.Title(), r.Pieces(), r.Squares(), r.IsSafe(4), r.IsShared(6)},
		[]any{"My game", 3, 6, true, false}, "title, pieces, squares, whether 4 is safe and 6 is shared")
}

// Every rule set is the same after it is written and read.
func TestParseReadsWhatIsWritten(t *testing.T) {
	mine := testkit.Must(Parse([]byte(custom)))(t)
	d := Finkel().Definition()
	d.Name, d.Rosettes = "plain", nil // made in Go without a list of rosettes
	for _, r := range append(List(), mine, testkit.Must(New(d))(t)) {
		text := testkit.Must(json.Marshal(r))(t)
		back := testkit.Must(Parse(text))(t)
		testkit.Equal(t, back.Equal(r), true, "%s is read the same", text)
		testkit.Equal(t, string(testkit.Must(json.Marshal(back))(t)), string(text), "written again")
	}
}

// invalidChanges returns changes to the file custom, each an old text, the new one and a part of the error.
func invalidChanges(t testkit.T) [][]string {
	return append(testkit.Rows(t, "testdata/invalid.txt", 3), [][]string{
		{`"My game"`, `"` + strings.Repeat("long ", 20) + `"`, "title:"},
		{`"A small game."`, `"` + strings.Repeat("long ", 500) + `"`, "about:"},
		{`["###", "###", "###"]`, `["###" ` + strings.Repeat(`, "###"`, 26) + `]`, "board: 27 columns"},
		{`["###", "###", "###"]`, `["` + strings.Repeat("#", 31) + `"]`, "board[0]: 31 rows"},
		{"false\n}", "false\n} {}", "line 8:"},
		{"false\n}", "false\n}]", "line 8:"},
		{`"about"`, `"` + strings.Repeat("x", maxFile) + `"`, "more than 1048576 bytes"},
	}...)
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
	for _, row := range invalidChanges(t) {
		before, after, want := row[0], row[1], row[2]
		text := strings.Replace(custom, before, after, 1)
		testkit.FatalIf(t, text == custom, "%s is not in the file", before)
		testkit.WantError(t, testkit.ErrorOf(Parse([]byte(text))), want, "%s -> %.80s", before, after)
		refused++
	}
	for what, text := range generated(t) {
		_, err := Parse([]byte(text))
		if err == nil {
			t.Errorf("%s: accepted", what)
			continue
		}
		field, _, _ := strings.Cut(what, " ")
		testkit.ErrorIf(t, field != "cut" && !strings.Contains(strings.ToLower(err.Error()), field) &&
			field != "dark" && !strings.Contains(err.Error(), "dark"),
			"%s: error %q does not name the field", what, err)
		testkit.WantText(t, err.Error(), "want") // the accepted form
		refused++
	}
	testkit.ErrorIf(t, refused < 200, "only %d files refused", refused)
	t.Logf("%d files refused", refused)
}

func TestFind(t *testing.T) {
	for _, name := range Names() {
		testkit.Equal(t, testkit.Must(Find(name))(t).Name(), name, "found")
	}
	testkit.WantError(t, testkit.ErrorOf(Find("chess")), "want "+strings.Join(Names(), ", ")+", or a JSON file", "Find")
	path := filepath.Join(t.TempDir(), "mine.json")
	testkit.WriteText(t, path, custom)
	testkit.Equal(t, testkit.Must(Find(path))(t).Name(), "mine", "a file")
	testkit.WriteText(t, path, "{}")
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
	for _, row := range invalidChanges(f)[:60] {
		f.Add([]byte(strings.Replace(custom, row[0], row[1], 1)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Parse(text)
		if err != nil {
			testkit.WantText(t, err.Error(), "want") // the accepted form
			return
		}
		out := testkit.Must(json.Marshal(r))(t)
		testkit.MustEqual(t, testkit.Must(Parse(out))(t).Equal(r), true, "%s is read the same", out)
		playout(t, r, 1, 200)
	})
}
