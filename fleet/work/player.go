package work

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
)

// fileMark precedes a file's sum in the spec of a sent player.
const fileMark = "sha256:"

// library is the player that uses its machine's tables. In a sent spec, libraryMark and
// the sum of one of them may follow.
const (
	library     = "perfect"
	libraryMark = library + "@" + fileMark
)

// sender returns a function that puts a file into the fleet's store, and returns the mark with its
// sum, which is added to a list.
func sender(ctx context.Context, conn *fleet.Conn, sums *[]string) func(name string) (string, error) {
	return func(name string) (string, error) {
		sum, err := conn.PutFile(ctx, name)
		*sums = append(*sums, sum)
		return fileMark + sum, err
	}
}

// shipPlayer makes the spec of a player valid on every machine: it sends the player's files, and its
// table from the cache, and replaces them by their marks. A required table that is missing is a
// [*solve.MissingTableError].
func shipPlayer(send func(name string) (string, error), r *board.Rules, spec string, pieces int) (string, error) {
	if kind, ok := play.KindOf(spec); ok && kind.Refuse != nil {
		if err := kind.Refuse(play.ParseContext{Rules: r}, spec); err != nil {
			return "", err
		}
	}
	if spec == library || spec == fmt.Sprintf("level:%d", play.MaxLevel) {
		return shipLibrary(send, r, pieces)
	}
	travels, err := play.Kinds().ReplaceFiles(spec, send)
	if err != nil {
		return "", fmt.Errorf("player %q: %w", spec, err)
	}
	return travels, nil
}

// shipLibrary sends the cache's table, unless every machine solves the game at once.
func shipLibrary(send func(name string) (string, error), r *board.Rules, pieces int) (string, error) {
	r, err := r.WithPieces(pieces)
	if err != nil {
		return "", err
	}
	if solve.Quick(r) {
		return library, nil
	}
	folder, err := solve.DefaultFolder()
	if err != nil {
		return "", err
	}
	file, err := (&solve.Library{Folder: folder}).File(r)
	if err != nil {
		return "", err
	}
	mark, err := send(file)
	if err != nil {
		return "", fmt.Errorf("player %q: %w", library, err)
	}
	return library + "@" + mark, nil
}

// sentPlayer returns the player of a sent spec: one without files, or with files of the fleet's
// store. Any other spec is a [*fleet.Failure], whose message quotes no file.
func sentPlayer(r *board.Rules, spec string, file func(sum string) (string, error)) (play.Player, error) {
	var missing error // why a file was not opened
	p, err := parsePlayer(r, spec, func(mark string) (path string, err error) {
		path, missing = findSent(fmt.Sprintf("player %q", spec), mark, file)
		return path, missing
	})
	switch {
	case err == nil:
		return p, nil
	case missing != nil:
		return play.Player{}, missing
	case len(play.Kinds().Files(spec)) > 0 || strings.HasPrefix(spec, libraryMark):
		return play.Player{}, fleet.Failf("player %q: a file of it cannot be read", spec)
	}
	return play.Player{}, &fleet.Failure{Message: err.Error()}
}

// findSent returns the path of the file with a mark. Any other name is a [*fleet.Failure] of its owner.
func findSent(owner, mark string, file func(sum string) (string, error)) (path string, err error) {
	sum, ok := strings.CutPrefix(mark, fileMark)
	if !ok {
		return "", fleet.Failf("%s: a file by its name (want %sSUM)", owner, fileMark)
	}
	return file(sum)
}

func parsePlayer(r *board.Rules, spec string, open play.Opener) (play.Player, error) {
	sum, ok := strings.CutPrefix(spec, library+"@")
	if !ok {
		return play.ParsePlayerFrom(r, spec, open)
	}
	path, err := open(sum)
	if err != nil {
		return play.Player{}, err
	}
	table, err := solve.Open(path, r)
	if err != nil {
		return play.Player{}, err
	}
	return play.NewPerfect(library, r, play.OneTable(table.Reference())), nil
}

func sentTable(ctx context.Context, r *board.Rules, spec string, pieces int,
	file func(sum string) (string, error)) (*solve.Table, error) {
	p, err := sentPlayer(r, spec, file)
	if err != nil {
		return nil, err
	}
	if perfect, ok := p.Source.(play.Perfect); ok {
		return perfect.Table(ctx, pieces)
	}
	return nil, fleet.Failf("player %q is not a table", spec)
}
