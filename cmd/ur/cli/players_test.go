package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/play"
)

// The players are listed in one place, and none is missing there.
func TestHelpListsAllPlayers(t *testing.T) {
	help := func(args ...string) string {
		var out bytes.Buffer
		if err := Program().Run(t.Context(), args, strings.NewReader(""), &out, &out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	list := help("help", "players")
	for _, name := range play.PlayerNames() {
		if !strings.Contains(list, "\n  "+name+" ") && !strings.Contains(list, "\n  "+name+"\n") {
			t.Errorf("ur help players lacks the player %q", name)
		}
	}
	for _, command := range []string{"", "play", "match", "regret"} {
		text := help(append(strings.Fields(command), "--help")...)
		if !strings.Contains(text, `"ur help players"`) || strings.Contains(text, "net@PLIES") {
			t.Errorf("ur %s --help does not refer to the one list of players", command)
		}
	}
	for line := range strings.Lines(pick.PlayersHelp()) {
		if len(line) > 80 {
			t.Errorf("wider than a terminal: %s", line)
		}
	}
}

// A player that is misspelled is guessed, the human at the keyboard too.
func TestUnknownPlayer(t *testing.T) {
	for _, args := range []string{"match brian random", "play --light humann", "regret brain:clasic --pieces 2", "match brain rendom"} {
		var out bytes.Buffer
		err := Program().Run(t.Context(), strings.Fields(args), strings.NewReader(""), &out, &out)
		if err == nil || !strings.Contains(err.Error(), "Did you mean") && !strings.Contains(err.Error(), "no such file") {
			t.Errorf("ur %s: error %v, want a guess", args, err)
		}
		if err != nil && strings.Contains(err.Error(), "unknown player") && !strings.Contains(err.Error(), "want one of human, brain, ") {
			t.Errorf("ur %s: error %v, want the list of players", args, err)
		}
	}
}
