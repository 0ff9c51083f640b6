package work

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
)

// fileMark stands before the sum of a file in the spec of a player that travels.
const fileMark = "sha256:"

// library is the player that plays by the tables of its machine. As it travels, the sum of
// one of them may follow libraryMark.
const (
	library     = "perfect"
	libraryMark = library + "@" + fileMark
)

// ship makes the spec of a player one that every machine understands: files that it
// names, and the table that it finds in the cache, go into the fleet's store, and their
// sums stand in their place. It returns the spec and the sums. Where a table is needed and
// there is none, it returns a [*solve.MissingTableError].
func ship(ctx context.Context, conn *fleet.Conn, spec string, pieces int) (travels string, files []string, err error) {
	if spec == library || spec == fmt.Sprintf("level:%d", play.MaxLevel) {
		return shipLibrary(ctx, conn, pieces)
	}
	travels, err = play.ReplaceFiles(spec, func(name string) (string, error) {
		sum, err := conn.PutFile(ctx, name)
		files = append(files, sum)
		return fileMark + sum, err
	})
	if err != nil {
		return "", nil, fmt.Errorf("player %q: %w", spec, err)
	}
	return travels, files, nil
}

// shipLibrary sends the table of the cache, unless every machine solves the game at once.
func shipLibrary(ctx context.Context, conn *fleet.Conn, pieces int) (travels string, files []string, err error) {
	if pieces <= solve.QuickPieces {
		return library, nil, nil
	}
	file, err := tableFile(pieces)
	if err != nil {
		return "", nil, err
	}
	sum, err := conn.PutFile(ctx, file)
	if err != nil {
		return "", nil, fmt.Errorf("player %q: %w", library, err)
	}
	return libraryMark + sum, []string{sum}, nil
}

// shipTable sends a table, that of a file or, where none is named, what the cache has, and
// returns how it travels.
func shipTable(ctx context.Context, conn *fleet.Conn, file string, pieces int) (travels string, files []string, err error) {
	if file == "" {
		return ship(ctx, conn, library, pieces)
	}
	sum, err := conn.PutFile(ctx, file)
	if err != nil {
		return "", nil, fmt.Errorf("table: %w", err)
	}
	return library + ":" + fileMark + sum, []string{sum}, nil
}

// tableFile returns the file of the table in the cache that serves for a number of pieces.
func tableFile(pieces int) (string, error) {
	folder, err := solve.DefaultFolder()
	if err != nil {
		return "", err
	}
	return (&solve.Library{Folder: folder}).File(pieces)
}

// seat returns the player of a spec that has travelled: its files are those of its sums.
func seat(spec string, file func(sum string) (string, error)) (play.Player, error) {
	if sum, ok := strings.CutPrefix(spec, libraryMark); ok {
		name, err := file(sum)
		if err != nil {
			return nil, err
		}
		table, err := solve.OpenTable(name)
		if err != nil {
			return nil, err
		}
		return play.NewPerfect(library, play.OneTable(solve.Reference(table))), nil
	}
	return play.ParsePlayerFrom(spec, func(name string) (string, error) {
		sum, ok := strings.CutPrefix(name, fileMark)
		if !ok {
			return "", fmt.Errorf("player %q: a file by its name (want %sSUM)", spec, fileMark)
		}
		return file(sum)
	})
}

// seatTable returns a table that has travelled.
func seatTable(ctx context.Context, spec string, pieces int, file func(sum string) (string, error)) (solve.Table, error) {
	p, err := seat(spec, file)
	if err != nil {
		return nil, err
	}
	perfect, ok := p.(play.Perfect)
	if !ok {
		return nil, fmt.Errorf("%q is no table", spec)
	}
	return perfect.Table(ctx, pieces)
}
