package protocol_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/protocol"
)

// The player "greedy" answers a program that speaks GTP.
func ExampleSession_GTP() {
	session := protocol.Session{Name: "greedy", Player: func() (reversi.Player, error) {
		return reversi.ParsePlayer("greedy", reversi.Env{})
	}}
	var answers strings.Builder
	err := session.GTP(context.Background(), strings.NewReader("name\nplay black d3\n7 genmove white\nquit\n"), &answers)
	fmt.Println(strings.Fields(answers.String()), err)
	// Output: [= greedy = =7 c3 =] <nil>
}
