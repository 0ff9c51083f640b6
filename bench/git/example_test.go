package git_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/git"
)

func Example() {
	out, err := git.Git{}.Run(context.Background(), "version")
	fmt.Println(strings.HasPrefix(out, "git version"), err)
	// Output: true <nil>
}
