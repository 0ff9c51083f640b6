package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/play"
)

// Wherever players are listed, none is missing.
func TestHelpListsAllPlayers(t *testing.T) {
	for _, command := range []string{"", "play", "match", "tournament", "regret"} {
		var help bytes.Buffer
		args := append(strings.Fields(command), "--help")
		if err := Program.Run(t.Context(), args, strings.NewReader(""), &help, &help); err != nil {
			t.Fatal(err)
		}
		names := play.PlayerNames()
		if command == "" || command == "play" {
			names = append(names, pick.Human)
		}
		for _, name := range names {
			listed := strings.Contains(help.String(), "\n  "+name+" ") || name == "tree" && strings.Contains(help.String(), "also called tree\n")
			if !listed {
				t.Errorf("ur %s --help does not tell of the player %q", command, name)
			}
		}
	}
}
