package cli

import (
	"strings"

	"github.com/seed-09dcdc84/ur"
)

// joinFeatures lists CPU features in a line.
func joinFeatures(features []ur.Feature) string {
	var names []string
	for _, f := range features {
		names = append(names, string(f))
	}
	return strings.Join(names, " ")
}
