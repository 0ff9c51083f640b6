package cli

import "github.com/agnivade/levenshtein"

// Nearest returns the name with the fewest typing errors from the typed one, or "" if it is
// exact, or if all need more than two edits and more than a third of the name, or all of it.
func Nearest(typed string, names []string) string {
	best, least := "", min(len(typed), max(3, len(typed)/3+1))
	for _, name := range names {
		if distance := levenshtein.ComputeDistance(typed, name); distance < least {
			best, least = name, distance
		}
	}
	if least == 0 {
		return ""
	}
	return best
}
