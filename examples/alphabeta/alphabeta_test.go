package main

import (
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// The textbooks' tree (Russell and Norvig, "Artificial Intelligence", the chapter on adversarial search):
// the root is worth 3, and of the second node two leaves are cut, those of value 4 and 6.
func TestTextbookTree(t *testing.T) {
	const textbook = "((3 12 8) (2 4 6) (14 5 2))"
	d := testkit.Must(drawTree(textbook, "alphabeta", 2))(t)
	testkit.Equal(t, d.treeText(""), `node [-inf..inf] = 3
  node 1 [-inf..inf] = 3
    node 1.1 [-inf..inf] = 3
    node 1.2 [-inf..3] = 12
    node 1.3 [-inf..3] = 8
  node 2 [3..inf] = <= 2
    node 2.1 [3..inf] = 2
    cut: 2.2, 2.3
  node 3 [3..inf] = <= 2
    node 3.1 [3..inf] = 14
    node 3.2 [3..14] = 5
    node 3.3 [3..5] = 2
`, "the trace")
	picture := d.svgPicture()
	testkit.Equal(t, strings.Count(picture, "2 skipped"), 1, "cuts in the picture")
	testkit.Equal(t, strings.Count(picture, "font-weight"), 11, "visits in the picture")
}

// The last node in its best order is cut after one leaf, and a scout searches it in a null window.
func TestOrderAndScout(t *testing.T) {
	d := testkit.Must(drawTree("((3 12 8) (2 4 6) (2 5 14))", "pvs", 2))(t)
	last := d.visits[len(d.visits)-1]
	testkit.Equal(t, []any{last.windowText(), last.value, last.skipped}, []any{"3..4", "<= 2", []string{"3.2", "3.3"}},
		"the last node")
}

func TestBoards(t *testing.T) {
	d := testkit.Must(drawTree("XX.OO....", "alphabeta", 2))(t)
	testkit.Equal(t, d.visits[0].name, "XXX/OO./...", "the first visit")
	for _, bad := range []string{"", "(", "()", "(1 2", "(x)", "(1) 2", "XX"} {
		testkit.WantError(t, testkit.ErrorOf(drawTree(bad, "alphabeta", 2)), "", "%q", bad)
	}
	testkit.WantError(t, testkit.ErrorOf(drawTree("(1 2)", "minimax", 2)), "algorithm with windows", "minimax")
}
