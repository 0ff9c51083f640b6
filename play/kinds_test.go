package play

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/solve/solvetest"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// filePieces is the number of pieces of the tables of these tests.
const filePieces = 2

// playerFiles writes two files of every content that a player may be made of. A new content
// is a line here.
func playerFiles(t *testing.T) [][2]string {
	dir := t.TempDir()
	table := solvetest.Table(t, filePieces)
	other := solvetest.Map(table, func(v float64) float64 { return v / 2 })
	write := func(name string, write func(path string) error) string {
		path := filepath.Join(dir, name)
		testkit.NoError(t, write(path))
		return path
	}
	text := func(m interface{ MarshalText() ([]byte, error) }) func(path string) error {
		data := testkit.Must(m.MarshalText())(t)
		return func(path string) error { return os.WriteFile(path, data, 0o666) }
	}
	net := func(seed uint64) func(path string) error {
		n := testkit.Must(valuenet.NewNet(valuenet.Shape{Hidden: []int{8}}))(t)
		n.Randomise(seed)
		return func(path string) error { return safefile.Write(path, n.Write) }
	}
	urt := func(v *solve.Table) func(path string) error {
		return func(path string) error { return v.Write(t.Context(), path, solve.WriteOptions{}) }
	}
	book := func(score search.Value) func(path string) error {
		b := testkit.Must(search.NewBook("ur"))(t)
		testkit.NoError(t, b.Put(search.KeyOf(1), search.BookMove{ID: 1, Score: score, Depth: 1}))
		var file bytes.Buffer
		testkit.Must(b.WriteTo(&file))(t)
		return func(path string) error { return os.WriteFile(path, file.Bytes(), 0o666) }
	}
	return [][2]string{
		{write("a.book", book(1)), write("b.book", book(2))},
		{write("a.brain", text(ur.DefaultBrain())), write("b.brain", text(ur.ClassicBrain()))},
		{write("a.net", net(1)), write("b.net", net(2))},
		{write("a.squares", text(SquareValues{1})), write("b.squares", text(SquareValues{2}))},
		{write("a.urt", urt(table)), write("b.urt", urt(other))},
	}
}

// patternWords stand for the words in capitals of patterns.
var patternWords = strings.NewReplacer("PLIES", "2", "...", "depth=1")

// Every kind of players that takes a file, now or later, lists it, reads it where it is told,
// reads nothing else, and is another player when the content is another.
func TestFilesOfEveryPlayer(t *testing.T) {
	files := playerFiles(t)
	patterns := 0
	for _, kind := range Kinds() {
		for _, pattern := range kind.Patterns {
			if !strings.Contains(pattern.Text, "FILE") {
				for _, spec := range pattern.Specs() {
					testkit.Equal(t, Kinds().Files(spec), nil, "%s names the files", spec)
				}
				continue
			}
			patterns++
			text := patternWords.Replace(pattern.Text)
			i := slices.IndexFunc(files, func(f [2]string) bool {
				_, err := ParsePlayer(strings.ReplaceAll(text, "FILE", f[0]))
				return err == nil
			})
			if i < 0 {
				_, err := ParsePlayer(strings.ReplaceAll(text, "FILE", files[0][0]))
				t.Errorf("%s: no content of a file serves (%v): add one to playerFiles", pattern.Text, err)
				continue
			}
			testFiles(t, text, files[i])
		}
	}
	testkit.ErrorIf(t, patterns < 7, "only %d patterns take a file", patterns)
}

// testFiles tests players of a pattern, by two files.
func testFiles(t *testing.T, pattern string, files [2]string) {
	spec := strings.ReplaceAll(pattern, "FILE", "sha256:00ff")
	testkit.Equal(t, Kinds().Files(spec), []string{"sha256:00ff"}, "%s names the files", spec)
	travels, err := Kinds().ReplaceFiles(strings.ReplaceAll(pattern, "FILE", files[0]), func(name string) (string, error) {
		testkit.Equal(t, name, files[0], "%s: the replaced name", pattern)
		return "sha256:00ff", nil
	})
	testkit.NoError(t, err)
	testkit.Equal(t, travels, spec, "%s travels as", pattern)
	testkit.WantErrorIs(t, testkit.ErrorOf(ParsePlayer(spec)), fs.ErrNotExist, "%s", spec)
	refusal := errors.New("refused")
	_, err = ParsePlayerFrom(board.Finkel(), spec, func(string) (string, error) { return "", refusal })
	testkit.WantErrorIs(t, err, refusal, "%s", spec)
	var identities []string
	log := filepath.Join(t.TempDir(), "log.jsonl")
	for i, file := range files {
		p := testkit.Must(ParsePlayerFrom(board.Finkel(), spec, func(name string) (string, error) { return file, nil }))(t)
		testkit.Equal(t, p.Spec, spec, "the spec")
		identity, err := Identity(t.Context(), p, filePieces)
		testkit.ErrorIf(t, err != nil || identity == "", "%s: identity %q, %v", spec, identity, err)
		identities = append(identities, identity)
		_, err = playLogged(t, MatchConfig{Players: []Player{p, First}, Games: 2, Pieces: filePieces}, log)
		if i == 0 {
			testkit.NoError(t, err)
		} else {
			testkit.WantError(t, err, "was made of "+identities[0]+", and is made of "+identities[1],
				"%s: a tournament with another file", spec)
		}
	}
	testkit.ErrorIf(t, identities[0] == identities[1], "%s: two files have the identity %s", spec, identities[0])
}

// Players made of built-in weights change with the version of the program, so they have an
// identity. The others have nothing but their name, and no source.
func TestIdentityOfBuiltInPlayers(t *testing.T) {
	for _, kind := range Kinds() {
		for _, pattern := range kind.Patterns {
			for _, spec := range pattern.Specs() {
				p, err := ParsePlayer(spec)
				if spec == "human" {
					continue
				}
				testkit.NoError(t, err)
				identity, err := Identity(t.Context(), p, filePieces)
				testkit.ErrorIf(t, err != nil || (p.Identity == nil) != (identity == "") || p.Source != nil &&
					identity == "", "%s has the identity %q, %v", spec, identity, err)
			}
		}
	}
}

// A new name that means something else in a spec is refused.
func TestReplaceFilesRefuses(t *testing.T) {
	for spec, name := range map[string]string{"search:depth=1,book=a": "b,c", "net:a": "b@2", "brain:a": "classic"} {
		_, err := Kinds().ReplaceFiles(spec, func(string) (string, error) { return name, nil })
		testkit.WantError(t, err, "", "%s with the file %s", spec, name)
	}
}

// A spec of a player does not open a pipe, whose reader would block until a process writes to it.
func TestPipesAreRejected(t *testing.T) {
	pipe := testkit.Pipe(t)
	testkit.WantError(t, testkit.ErrorOf(ParsePlayer("brain:"+pipe)), pipe+": not a regular file (want a file)",
		"ParsePlayer")
}
