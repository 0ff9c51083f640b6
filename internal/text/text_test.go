package text

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

func TestFigures(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{Figure(0.0012345), "0.00123"}, {Figure(0.9996), "1.00"}, {Figure(12.345), "12.3"}, {Figure(99999), "99999"},
		{Figure(math.Inf(1)), "+Inf"}, {Figure(0), "0.00"},
		{Count(999.6), "1,000"}, {Count(1234567), "1,234,567"}, {Count(-1234), "-1,234"}, {Count(math.NaN()), "NaN"},
		{Grouped(-123), "-123"}, {Grouped(-1234), "-1,234"}, {Grouped(int64(137870097)), "137,870,097"},
		{Grouped(0), "0"},
		{GroupedFigure(0.05), "0.05"}, {GroupedFigure(2500.5), "2,500.5"}, {GroupedFigure(2e9), "2,000,000,000"},
		{Percent(0.025), "+2.50%"}, {Percent(-0.5), "-50.00%"},
		{Times(0.00114), "x877"}, {Times(4), "x0.250"}, {Times(0), ""}, {Times(math.NaN()), ""},
		{Plural(1, "game"), "1 game"}, {Plural(int64(2), "game"), "2 games"},
		{Some([]string{"a", "b", "c"}, 3), "a, b, c"},
		{Some([]string{"a", "b", "c", "d", "e"}, 3), "a, b, c and 2 more"},
	} {
		testkit.Equal(t, test.got, test.want, "the text")
	}
}

func TestPlain(t *testing.T) {
	for name, want := range map[string]string{
		"Value/board=array16/eval=avx2-4": "Value/board=array16/eval=avx2-4",
		"größe ± 1 % ×":                   "größe ± 1 % ×",
		"a\x1b[31mred\nline":              `a\x1b[31mred\nline`,
		"tab\there":                       `tab\there`,
		"bad\xff":                         `bad\xff`,
		"\u202eturned":                    `\u202eturned`,
		"\u2028":                          `\u2028`,
		"\ufffe\uffff":                    `\ufffe\uffff`,
	} {
		testkit.Equal(t, Plain(name), want, "%q: got", name)
	}
	testkit.Equal(t, Lines("a\n\x1bb"), "a\n\\x1bb", "lines")
}

func FuzzPlain(f *testing.F) {
	for _, seed := range []string{"", "plain", "\x1b]0;title\a", "\xff\xfe", "\u200d\u061c", "a\r\nb"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		plain := Plain(name)
		testkit.ErrorIf(t, strings.ContainsFunc(plain, isUnsafe) || !utf8.ValidString(plain),
			"%q becomes %q", name, plain)
		testkit.Equal(t, Plain(plain), plain, "%q again", plain)
		var out strings.Builder
		testkit.NoError(t, xml.EscapeText(&out, []byte(plain)))
		var back struct {
			Text string `xml:",chardata"`
		}
		testkit.NoError(t, xml.Unmarshal([]byte("<t>"+out.String()+"</t>"), &back))
		testkit.Equal(t, back.Text, plain, "%q in XML", plain)
	})
}

func TestTable(t *testing.T) {
	table := Table{Header: []string{"name", "ns"}}
	table.Add("a|b", "1")
	table.Add("\x1b[2J", "22.5")
	narrow := table
	narrow.Narrow = true
	marked := Table{Header: []string{"`a|b`"}, Marked: true}
	for name, test := range map[string]struct {
		write func(io.Writer) error
		want  string
	}{
		"text": {table.WriteText, "name       ns\na|b         1\n\\x1b[2J  22.5\n"},
		"markdown": {table.WriteMarkdown,
			"| name     |   ns |\n| -------- | ---: |\n| a\\|b     |    1 |\n| \\\\x1b[2J | 22.5 |\n"},
		"marked": {marked.WriteMarkdown, "| `a\\|b` |\n| ------ |\n"},
		"narrow": {narrow.WriteMarkdown, "|name    |  ns|\n|--------|---:|\n|a\\|b    |   1|\n|\\\\x1b[2J|22.5|\n"},
	} {
		testkit.Equal(t, testkit.Written(t, test.write), test.want, "%s", name)
	}
}

// Names of benchmarks are shown with their marks of markdown.
func TestMarkdown(t *testing.T) {
	for plain, want := range map[string]string{
		"p.A/*.go*": `p.A/\*.go\*`, "__init__ _x": `\_\_init\_\_ \_x`, "snake_case [+1, +2]": "snake_case [+1, +2]", "~~a~~": `\~\~a\~\~`,
		"[l](http://x)": `[l\]\(http://x)`, "`a|b`": "\\`a\\|b\\`", "<b>&amp;": `&lt;b>\&amp;`, `a\*`: `a\\\*`,
	} {
		testkit.Equal(t, Markdown(plain), want, "%s", plain)
	}
}

// failing fails after the first write.
type failing struct{ writes int }

func (f *failing) Write(p []byte) (int, error) {
	if f.writes++; f.writes > 1 {
		return 0, errors.New("full")
	}
	return len(p), nil
}

func TestTheFirstErrorOfWritingIsKept(t *testing.T) {
	to := &failing{}
	table := Table{Header: []string{"a"}, Rows: [][]string{{"1"}, {"2"}, {"3"}}}
	testkit.WantError(t, table.WriteText(to), "full", "a table on a full disk")
	testkit.Equal(t, to.writes, 2, "writes")
}

func TestObjectKeepsOrderAndValues(t *testing.T) {
	o := testkit.Must(ParseObject([]byte("{ \"b\" : [1, 2],\n \"a\":null, \"<\": {\"a\":1,\"a\":2} }\n"), "a test"))(t)
	testkit.Equal(t, string(o.Encode()), `{"b":[1, 2],"a":null,"\u003c":{"a":1,"a":2}}`, "written as")
	value, ok := o.Get("a")
	testkit.Equal(t, ok, true, "a is there")
	testkit.Equal(t, string(value), "null", "the value of a")
	_, ok = o.Get("A")
	testkit.Equal(t, ok, false, "A is there")
	testkit.Equal(t, string(o.Without("a", "b", "c").Encode()), `{"\u003c":{"a":1,"a":2}}`, "without a and b")
	testkit.Equal(t, len(o), 3, "members")
	testkit.Equal(t, string(Object(nil).Encode()), "{}", "the empty object")
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
		testkit.WantError(t, testkit.ErrorOf(ParseObject([]byte(text), "a test")), want, "%q", text)
	}
}
