package match

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/match/rating"
)

// Only one at a time has a log.
func TestLogIsLocked(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log.jsonl")
	first := testkit.Must(OpenLog(name))(t)
	second, err := OpenLog(name)
	if err == nil {
		second.Close()
		t.Skip("files cannot be locked here")
	}
	testkit.WantErrorAs[*LogError](t, err, "in use by another process", "a second opening")
	first.Close()
	testkit.Must(OpenLog(name))(t).Close()
}

// A log that cannot be written ends the run, and what could not be logged does not count.
func TestLogCannotBeWritten(t *testing.T) {
	p, name := loggedToy(t)
	header, _, _ := strings.Cut(testkit.ReadText(t, name), "\n")
	testkit.WriteText(t, name, header+"\n")
	file := testkit.Must(os.Open(name))(t)
	defer file.Close()
	p.Log = &Log{file: file, synced: time.Now()}
	o, err := Run(t.Context(), p)
	testkit.WantErrorAs[*fs.PathError](t, err, "", "the run")
	testkit.Equal(t, o.Games, 0, "games that count")
}

// loggedToy plays a plan with a log, and returns both.
func loggedToy(t *testing.T) (p Plan[toyScore], name string) {
	p = toyPlan(64, 8, 2, 4)
	p.Header = Header{Schema: "toy-log/1", Games: p.Games, Players: []Entrant{{"a", "00ff"}, {"b", ""}},
		Settings: map[string]string{"discs": "8", "book": ""}}
	name = filepath.Join(t.TempDir(), "log.jsonl")
	testkit.Must(runLogged(t, p, name))(t)
	return p, name
}

// runLogged runs a plan with a log, whose file is opened and closed.
func runLogged(t *testing.T, p Plan[toyScore], name string) (Outcome[toyScore], error) {
	t.Helper()
	log := testkit.Must(OpenLog(name))(t)
	defer log.Close()
	p.Log = log
	return Run(t.Context(), p)
}

// Wherever a log is cut off, the run goes on behind its last whole line, and completes the file.
func TestLogCutAnywhere(t *testing.T) {
	p, name := loggedToy(t)
	text, want := testkit.ReadText(t, name), testkit.Must(runLogged(t, p, name))(t)
	testkit.MustEqual(t, strings.Count(text, "\n"), 1+4, "a header and four spans in %q: lines", text)
	for cut := range len(text) + 1 {
		testkit.WriteText(t, name, text[:cut])
		kept := max(0, strings.Count(text[:cut], "\n")-1)
		for _, played := range []int64{64 - 16*int64(kept), 0} {
			o, err := runLogged(t, p, name)
			testkit.FatalIf(t, err != nil || o.Scores[0] != want.Scores[0] || o.Played != played ||
				(o.Threads == 0) != (played == 0),
				"cut at byte %d of %d: %+v, %v, want %d games played", cut, len(text), o, err, played)
		}
	}
}

// A line that is there twice counts once, the span of a damaged line is played again, and a file
// that is not a log of this plan stays as it is.
func TestDamagedLog(t *testing.T) {
	p, name := loggedToy(t)
	lines := strings.SplitAfter(testkit.ReadText(t, name), "\n")
	want := testkit.Must(runLogged(t, p, name))(t)
	rewrite := func(lines ...string) { testkit.WriteText(t, name, strings.Join(lines, "")) }
	long := strings.Repeat("x", 3*maxLogLine)
	rewrite(lines[0], lines[1], lines[2], lines[1], lines[3], lines[4])
	o := testkit.Must(runLogged(t, p, name))(t)
	testkit.Equal(t, o.Played, 0, "games played for a line that is there twice")
	testkit.Equal(t, o.Scores[0], want.Scores[0], "the score with a line that is there twice")
	for _, bad := range []string{strings.Replace(lines[2], `"games":1`, `"games":9`, 1), lines[2][:20] + "\n",
		"\n", long + "\n"} {
		rewrite(lines[0], lines[1], bad, lines[3], lines[4])
		for _, played := range []int64{16, 0} {
			o, err := runLogged(t, p, name)
			testkit.ErrorIf(t, err != nil || o.Damaged != 1 || o.Played != played || o.Scores[0] != want.Scores[0],
				"the line %.30q: %+v, %v, want %d games played", bad, o, err, played)
		}
	}
	far := testkit.Must(safefile.MarshalLine(logRecord[toyScore]{Unit: new(99)}))(t)
	for bad, want := range map[string]string{
		lines[0][:9] + "\n" + lines[1]: ":1: invalid or damaged line",
		"my notes":                     ":1: invalid or damaged line",
		"my notes\n":                   ":1: invalid or damaged line",
		long:                           ":1: invalid or damaged line",
		lines[0] + string(far):         "has part 99 of 0 games, which does not belong",
	} {
		rewrite(bad)
		testkit.WantErrorAs[*LogError](t, testkit.ErrorOf(runLogged(t, p, name)), want, "%.30q", bad)
		testkit.Equal(t, testkit.ReadText(t, name), bad, "%.30q: the file", bad)
	}
}

// The log of other settings is refused, with both values; a player made of something else with
// both identities. It stays as it is, also an incomplete last line.
func TestLogOfOtherSettings(t *testing.T) {
	p, name := loggedToy(t)
	o := testkit.Must(runLogged(t, p, name))(t)
	testkit.Equal(t, []int64{o.Played, o.Games}, []int64{0, 64}, "the same settings: games played, and all")
	text := testkit.ReadText(t, name) + "half of"
	testkit.WriteText(t, name, text)
	for want, change := range map[string]func(h *Header){
		`"a" was made of 00ff, and is made of 1234 now`:          func(h *Header) { h.Players[0].Identity = "1234" },
		`"b" was made of nothing known, and is made of 1234 now`: func(h *Header) { h.Players[1].Identity = "1234" },
		`player 2 is "b" (want "c")`:                             func(h *Header) { h.Players[1].Name = "c" },
		"it has 2 players (want 1)":                              func(h *Header) { h.Players = h.Players[:1] },
		"seed is 0 (want 9)":                                     func(h *Header) { h.Seed = 9 },
		"discs is 8 (want 9)":                                    func(h *Header) { h.Settings["discs"] = "9" },
		"book is unset (want x)":                                 func(h *Header) { h.Settings["book"] = "x" },
		"time is unset (want 5s)":                                func(h *Header) { h.Settings["time"] = "5s" },
		"its schema is toy-log/1 (want toy-log/2)":               func(h *Header) { h.Schema = "toy-log/2" },
	} {
		other := p
		other.Header.Players, other.Header.Settings = slices.Clone(p.Header.Players), maps.Clone(p.Header.Settings)
		change(&other.Header)
		testkit.WantErrorAs[*LogError](t, testkit.ErrorOf(runLogged(t, other, name)), want, "the log")
	}
	testkit.Equal(t, testkit.ReadText(t, name), text, "the log")
}

// Scores that cannot be those of a span are refused.
func TestLogOfImpossibleScores(t *testing.T) {
	p, name := loggedToy(t)
	header, _, _ := strings.Cut(testkit.ReadText(t, name), "\n")
	for _, score := range []toyScore{
		{Games: 15, Pairs: rating.Pairs{2: 8}}, {Games: 16, Pairs: rating.Pairs{2: 7}},
		{Games: 16, Pairs: rating.Pairs{-1, 0, 9}},
		{Games: 16, Pairs: rating.Pairs{1 << 62, 1 << 62, 1 << 62, 1 << 62, 8}},
	} {
		line := testkit.Must(safefile.MarshalLine(logRecord[toyScore]{new(0), score}))(t)
		testkit.WriteText(t, name, header+"\n"+string(line))
		testkit.WantError(t, testkit.ErrorOf(runLogged(t, p, name)), "does not belong to", "%+v", score)
	}
}

// Whatever stands in a file, reading it must not fail by more than an error, and what
// it takes for whole must be read the same when the rest is cut off.
func FuzzReadLog(f *testing.F) {
	settings := Header{Schema: "toy-log/1", Games: 2, Players: []Entrant{{"a", "00ff"}, {"b", ""}}}
	header := testkit.Must(safefile.MarshalLine(settings))(f)
	record := testkit.Must(safefile.MarshalLine(logRecord[toyScore]{new(3), toyScore{2, rating.Pairs{2: 1}}}))(f)
	f.Add([]byte(nil))
	f.Add(header)
	f.Add(append(header[:len(header):len(header)], record...))
	f.Add(append(header[:len(header):len(header)], record[:20]...))
	f.Add([]byte("{\"crc\":\"00000000\",\"data\":}\n\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := readLog[toyScore]("", bytes.NewReader(text))
		testkit.SkipOn(t, err)
		testkit.FatalIf(t, c.whole < 0 || c.whole > int64(len(text)) || c.whole > 0 && text[c.whole-1] != '\n',
			"%d of %d bytes are whole lines", c.whole, len(text))
		again, err := readLog[toyScore]("", bytes.NewReader(text[:c.whole]))
		testkit.ErrorIf(t, err != nil || again.whole != c.whole || len(again.records) != len(c.records) ||
			again.damaged != c.damaged || (again.header == nil) != (c.header == nil),
			"%+v; read again %+v, %v", c, again, err)
	})
}
