package work

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
)

// fileMark stands before the sum of a file in the spec of a player that travels.
const fileMark = "@sha256:"

// ship makes the spec of a player one that every machine understands: files that it
// names go into the fleet's store, and their sums stand in their place. It returns the
// spec and the sums.
func ship(ctx context.Context, conn *fleet.Conn, p play.Player, pieces int) (spec string, files []string, err error) {
	spec = p.Name()
	if spec == "perfect" && pieces > solve.QuickPieces {
		folder, err := solve.DefaultFolder()
		if err != nil {
			return "", nil, err
		}
		spec = "perfect:" + TableFile(folder, pieces)
	}
	prefix, file, ok := fileOf(spec)
	if !ok {
		return spec, nil, nil
	}
	sum, err := conn.PutFile(ctx, file)
	if err != nil {
		return "", nil, fmt.Errorf("player %q: %w", p.Name(), err)
	}
	return prefix + fileMark + sum, []string{sum}, nil
}

// TableFile is the name of the smallest table in a folder that serves for a number of
// pieces; it may not be there.
func TableFile(folder string, pieces int) string {
	name := filepath.Join(folder, solve.FileName(pieces))
	for n := pieces; n <= board.MaxPieces; n++ {
		larger := filepath.Join(folder, solve.FileName(n))
		if _, err := os.Stat(larger); err == nil {
			return larger
		}
	}
	return name
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
	if prefix, sum, ok := strings.Cut(spec, fileMark); ok {
		name, err := file(sum)
		if err != nil {
			return nil, err
		}
		spec = prefix + name
	}
	return play.ParsePlayer(spec)
}
