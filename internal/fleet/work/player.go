package work

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
)

// fileMark stands before the sum of a file in the spec of a player that travels.
const fileMark = "@sha256:"

// library is the player who plays by the tables of whoever it plays for. As it travels,
// the sum of one of them may follow.
const library = "perfect"

// ship makes the spec of a player one that every machine understands: files that it
// names, and the table that it finds in the cache, go into the fleet's store, and their
// sums stand in their place. It returns the spec and the sums. Where a table is needed and
// there is none, it returns a [*solve.MissingTableError].
func ship(ctx context.Context, conn *fleet.Conn, spec string, pieces int) (travels string, files []string, err error) {
	prefix, file, ok := fileOf(spec)
	if spec == library || spec == fmt.Sprintf("level:%d", play.MaxLevel) {
		if pieces <= solve.QuickPieces {
			return library, nil, nil
		}
		prefix, ok = library, true
		file, err = tableFile(pieces)
	}
	if err != nil || !ok {
		return spec, nil, err
	}
	sum, err := conn.PutFile(ctx, file)
	if err != nil {
		return "", nil, fmt.Errorf("player %q: %w", spec, err)
	}
	return prefix + fileMark + sum, []string{sum}, nil
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

// fileOf returns the file that a spec names, and what stands before it.
func fileOf(spec string) (prefix, file string, ok bool) {
	kind, known := play.KindOf(spec)
	if !known {
		return "", "", false
	}
	for _, form := range kind.Forms {
		for _, name := range form.Specs() {
			if name == spec {
				return "", "", false
			}
		}
	}
	for _, form := range kind.Forms {
		prefix, takesFile := form.FilePrefix()
		if !takesFile || !strings.HasPrefix(spec, prefix) {
			continue
		}
		file := strings.TrimPrefix(spec, prefix)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			return prefix, file, true
		}
	}
	return "", "", false
}

// seat returns the player of a spec that has travelled.
func seat(spec string, file func(sum string) (string, error)) (play.Player, error) {
	prefix, sum, ok := strings.Cut(spec, fileMark)
	if !ok {
		return play.ParsePlayer(spec)
	}
	name, err := file(sum)
	if err != nil {
		return nil, err
	}
	if prefix != library {
		return play.ParsePlayer(prefix + name)
	}
	table, err := solve.OpenTable(name)
	if err != nil {
		return nil, err
	}
	return play.NewPerfect(library, play.OneTable(solve.Reference(table))), nil
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
