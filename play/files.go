package play

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
)

// Opener returns the path of a file named in the spec of a player.
type Opener func(name string) (path string, err error)

// ParsePlayerFrom is [ParsePlayerFor] with the files of the spec at the paths returned by open.
// It opens only files listed by [Files].
func ParsePlayerFrom(r *board.Rules, spec string, open Opener) (Player, error) {
	return parsePlayer(r, spec, open, false)
}

// parsePlayer also accepts a player that runs a program if the spec is trusted.
func parsePlayer(r *board.Rules, spec string, open Opener, trusted bool) (Player, error) {
	kind, ok := KindOf(spec)
	if !ok {
		return Player{}, &UnknownPlayerError{spec}
	}
	if kind.RunsProgram && !trusted {
		return Player{}, &ProgramRefusedError{spec}
	}
	if kind.FinkelOnly && !r.IsFinkel() {
		return Player{}, &finkelOnlyError{spec, r.Name()}
	}
	files := Files(spec)
	return kind.Parse(r, spec, strings.TrimPrefix(spec, kind.Name), func(name string) (string, error) {
		if !slices.Contains(files, name) {
			return "", fmt.Errorf("player %q: %q is not a file of the spec", spec, name)
		}
		return open(name)
	})
}

// inPlace opens a file by its name. It rejects pipes and devices: reading them could block for
// ever, and their content cannot be read again for the [Player.Identity].
func inPlace(name string) (path string, err error) {
	if info, err := os.Stat(name); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s: not a regular file (want a file)", name)
	}
	return name, nil
}

// Files returns the file names in the spec of a player, in order.
func Files(spec string) (names []string) {
	if kind, ok := KindOf(spec); ok && kind.Files != nil {
		kind.Files(strings.TrimPrefix(spec, kind.Name), func(name string) string {
			names = append(names, name)
			return name
		})
	}
	return names
}

// ReplaceFiles returns a spec with every file name replaced by replace(name), so that players
// made of the same files have the same spec. The new names must not contain characters with a
// meaning in a spec, such as "," in those of a search.
func ReplaceFiles(spec string, replace func(name string) (string, error)) (string, error) {
	kind, ok := KindOf(spec)
	if !ok || kind.Files == nil {
		return spec, nil
	}
	var names []string
	var failed error
	rest := kind.Files(strings.TrimPrefix(spec, kind.Name), func(name string) string {
		if failed == nil {
			name, failed = replace(name)
			names = append(names, name)
		}
		return name
	})
	replaced := kind.Name + rest
	if failed == nil && !slices.Equal(Files(replaced), names) {
		failed = fmt.Errorf("player %q: cannot name its files %q", spec, names)
	}
	return replaced, failed
}

// fileBehindColon is the [Kind.Files] of specs that may end with ":" and a file name accepted
// by isFile.
func fileBehindColon(isFile func(name string) bool) func(rest string, replace func(name string) string) string {
	return func(rest string, replace func(name string) string) string {
		if name, ok := strings.CutPrefix(rest, ":"); ok && name != "" && isFile(name) {
			return ":" + replace(name)
		}
		return rest
	}
}

// openColon returns the path of the file named after the colon of a spec, "" for a spec that is just
// its kind's name. The text want is in the error for a colon without a name.
func openColon(spec, rest, want string, open Opener) (path string, err error) {
	file, named := strings.CutPrefix(rest, ":")
	switch {
	case rest == "":
		return "", nil
	case !named:
		return "", &UnknownPlayerError{spec}
	case file == "":
		return "", fmt.Errorf("player %q names no file (want %s)", spec, want)
	}
	return open(file)
}

// readTextFile reads a text file. It reports a syntax error as "FILE:LINE: message".
func readTextFile(name string, read func(io.Reader) error) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	err = read(file)
	if syntax, ok := errors.AsType[*ur.BrainSyntaxError](err); ok {
		return fmt.Errorf("%s:%d: %s", name, syntax.Line, syntax.Msg)
	}
	return err
}
