package reach

import (
	"path"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/source"
	"github.com/seed-09dcdc84/ur/bench/internal/symbol"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// opaquePackages returns the packages, as symbols have them, with other sources than Go or assembly that
// differ, and the variables with embedded files that differ: the compiler does not print large ones. The headers
// of C may be anywhere.
func opaquePackages(s *source.Sides, borrowed map[string]*source.BorrowedTests) (packages, embedding map[string]bool) {
	packages, embedding = make(map[string]bool), make(map[string]bool)
	for side, t := range s.Trees {
		for importPath, p := range t.Packages {
			if !t.Holds(p.Dir) {
				continue
			}
			if slices.ContainsFunc(s.Changed, func(name string) bool { return t.Embeds(p, name) && !borrowed[importPath].HasFile(name) }) {
				for _, found := range embedded().FindAllStringSubmatch(p.Text(s.Files(side), t), -1) {
					embedding[symbol.Path(importPath)+"."+found[1]], embedding[symbol.Path(importPath+"_test")+"."+found[1]] = true, true
				}
			}
			if len(p.Others()) == 0 {
				continue
			}
			differs := func(name string) bool {
				return len(p.CgoFiles) > 0 && !strings.HasSuffix(name, ".go") ||
					path.Dir(name) == t.Folder(p) && slices.Contains(p.Others(), path.Base(name))
			}
			if slices.ContainsFunc(s.Changed, differs) {
				packages[symbol.Path(importPath)] = true
			}
		}
	}
	return packages, embedding
}

// embedded matches the declaration of a variable with embedded files, and its name.
var embedded = text.Regexp(`(?m)^\s*//go:embed\s[^\n]*\n(?:\s*//[^\n]*\n)*\s*(?:var\s+)?(\w+)`)
