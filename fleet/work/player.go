package work

import (
	"cmp"
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

// shipPlayer makes the spec of a player valid on every machine: it puts the player's files, and its
// table from the cache, into the fleet's store, and replaces them by their sums. It returns the
// spec and the sums, or a [*solve.MissingTableError] if a required table is missing.
func shipPlayer(ctx context.Context, conn *fleet.Conn, r *board.Rules, spec string,
	pieces int) (travels string, files []string, err error) {
	if kind, ok := play.KindOf(spec); ok && kind.Refuse != nil {
		if err := kind.Refuse(play.ParseContext{Rules: r}, spec); err != nil {
			return "", nil, err
		}
	}
	if spec == library || spec == fmt.Sprintf("level:%d", play.MaxLevel) {
		return shipLibrary(ctx, conn, r, pieces)
	}
	travels, err = play.Kinds().ReplaceFiles(spec, func(name string) (string, error) {
		sum, err := conn.PutFile(ctx, name)
		files = append(files, sum)
		return fileMark + sum, err
	})
	if err != nil {
		return "", nil, fmt.Errorf("player %q: %w", spec, err)
	}
	return travels, files, nil
}

// shipLibrary sends the cache's table, unless every machine solves the game at once.
func shipLibrary(ctx context.Context, conn *fleet.Conn, r *board.Rules,
	pieces int) (travels string, files []string, err error) {
	r, err = r.WithPieces(pieces)
	if err != nil {
		return "", nil, err
	}
	if solve.Quick(r) {
		return library, nil, nil
	}
	folder, err := solve.DefaultFolder()
	if err != nil {
		return "", nil, err
	}
	file, err := (&solve.Library{Folder: folder}).File(r)
	if err != nil {
		return "", nil, err
	}
	sum, err := conn.PutFile(ctx, file)
	if err != nil {
		return "", nil, fmt.Errorf("player %q: %w", library, err)
	}
	return libraryMark + sum, []string{sum}, nil
}

// sentPlayer returns the player of a sent spec: one without files, or with files of the fleet's
// store. Any other spec is a [*fleet.Failure], whose message quotes no file.
func sentPlayer(r *board.Rules, spec string, file func(sum string) (string, error)) (play.Player, error) {
	var local, fetching error // why a file was not opened
	open := func(name string) (string, error) {
		sum, ok := strings.CutPrefix(name, fileMark)
		if !ok {
			local = &fleet.Failure{Message: fmt.Sprintf("player %q: a file by its name (want %sSUM)", spec, fileMark)}
			return "", local
		}
		path, err := file(sum)
		fetching = err
		return path, err
	}
	p, err := parsePlayer(r, spec, open)
	switch {
	case err == nil:
		return p, nil
	case local != nil || fetching != nil:
		return play.Player{}, cmp.Or(local, fetching)
	case len(play.Kinds().Files(spec)) > 0 || strings.HasPrefix(spec, libraryMark):
		return play.Player{}, &fleet.Failure{Message: fmt.Sprintf("player %q: a file of it cannot be read", spec)}
	}
	return play.Player{}, &fleet.Failure{Message: err.Error()}
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
	return nil, &fleet.Failure{Message: fmt.Sprintf("player %q is not a table", spec)}
}
