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
	"github.com/seed-09dcdc84/ur/match"
)

// Opener returns the path of a file named in a player's spec.
type Opener func(name string) (path string, err error)

// ParsePlayerFrom is [ParsePlayerFor] with the spec's files at the paths returned by open.
// It opens only files of the spec.
func ParsePlayerFrom(r *board.Rules, spec string, open Opener) (Player, error) {
	return parsePlayer(r, spec, open, false)
}

// parsePlayer also accepts a player that runs a program if the spec is trusted.
func parsePlayer(r *board.Rules, spec string, open Opener, trusted bool) (Player, error) {
	kinds := Kinds()
	files := kinds.Files(spec)
	return kinds.Parse(ParseContext{Rules: r, trusted: trusted, Open: func(name string) (string, error) {
		if !slices.Contains(files, name) {
			return "", fmt.Errorf("player %q: %q is not a file of the spec", spec, name)
		}
		return open(name)
	}}, spec)
}

// inPlace opens a file by its name. It rejects pipes and devices: reading them could block for
// ever, and their content cannot be read again for the [Player.Identity].
func inPlace(name string) (path string, err error) {
	if info, err := os.Stat(name); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s: not a regular file (want a file)", name)
	}
	return name, nil
}

// fileBehindColon is the [match.Kind.Files] for specs that may end with ":" and a file name accepted
// by isFile.
func fileBehindColon(isFile func(name string) bool) func(rest string, replace func(name string) string) string {
	return func(rest string, replace func(name string) string) string {
		if name, ok := strings.CutPrefix(rest, ":"); ok && name != "" && isFile(name) {
			return ":" + replace(name)
		}
		return rest
	}
}

// openColon returns the path of the file named after a spec's colon, "" for a spec that is just
// its kind's name. The text want is in the error for a colon without a name.
func openColon(spec, rest, want string, open Opener) (path string, err error) {
	file, named := strings.CutPrefix(rest, ":")
	switch {
	case rest == "":
		return "", nil
	case !named:
		return "", match.ErrSpec
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
