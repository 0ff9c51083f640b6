package cli

import "github.com/agnivade/levenshtein"

// Nearest returns the name that takes the fewest typing errors to become what was
// typed, or "" when it is there, or when all would take more than two and more than a
// third of it, or all of it.
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
