package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	goversion "go/version"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/git"
	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/tools/code"
)

// errStale is the error of wrong marks, or of stale records.
var errStale = errors.New("stale records")

// staleOptions are the flags of "records stale".
type staleOptions struct {
	check, strict, remove bool
	suites                []string // suites whose rows are removed; nil for all
}

// findStale finds the stale rows of all records, writes them to stale.json, and prints what measures them
// again.
func findStale(ctx context.Context, folder string, o staleOptions) error {
	out, err := git.Git{}.Run(ctx, "rev-parse", "--is-shallow-repository")
	if o.check && err == nil && out == "true" {
		fmt.Println("skipped: this clone lacks the commits that records name")
		return nil
	}
	rows, reasons, err := readMarked(ctx, folder)
	if err != nil {
		return err
	}
	groups := groupStale(rows)
	for i, row := range rows {
		isNew := i == 0 || reasons[i] != reasons[i-1] || row.Provenance.Command != rows[i-1].Provenance.Command
		if row.Stale && isNew {
			fmt.Printf("%s, %s: %s\n", row.Name, row.Provenance.Command, reasons[i])
		}
	}
	switch {
	case o.remove:
		isRemoved := func(row record.Row) bool {
			isNamed := len(o.suites) == 0 || slices.Contains(o.suites, row.Suite)
			return isNamed && slices.ContainsFunc(groups, func(g record.StaleRows) bool { return g.Has(row) })
		}
		if err := record.Remove(folder, isRemoved); err != nil {
			return err
		}
		return findStale(ctx, folder, staleOptions{})
	case o.strict && len(groups) > 0:
		return fmt.Errorf("%w: %s (run go run ./tools/records measure)", errStale,
			text.Plural(len(groups), "command"))
	case o.strict:
		return nil
	}
	list, err := json.Marshal(groups)
	if err != nil {
		return err
	}
	content := strings.ReplaceAll(string(list), "},{", "},\n{") + "\n"
	name := filepath.Join(folder, record.StaleFile)
	if !o.check {
		return safefile.WriteBytes(name, []byte(content))
	}
	if old, err := os.ReadFile(name); err != nil || string(old) != content {
		return fmt.Errorf("%w: %s is not right (run go run ./tools/records stale, then go run ./tools/pages)",
			errStale, name)
	}
	return nil
}

// groupStale returns the stale rows by their commands.
func groupStale(rows []record.Row) []record.StaleRows {
	groups := []record.StaleRows{} // never null
	rows = slices.DeleteFunc(slices.Clone(rows), func(row record.Row) bool { return !row.Stale })
	command := func(row record.Row) string {
		return strings.Join([]string{row.Suite, row.Provenance.Processor(), row.Provenance.Command}, "\n")
	}
	for _, group := range text.Groups(rows, command) {
		first := group[0]
		groups = append(groups, record.StaleRows{Suite: first.Suite, Machine: first.Provenance.Processor(),
			Command: first.Provenance.Command, Rows: text.List(group, func(row record.Row) string { return row.Name })})
	}
	return groups
}

// comparer compares the code of records with the working folder.
type comparer struct {
	ctx   context.Context
	work  string                // holds the files of commits
	trees map[string]*code.Tree // trees by commit, processor and tags
	known map[string]string     // reasons by tree and roots
}

// readMarked reads all records, marks the stale rows, and returns the reasons; "" for a fresh row.
func readMarked(ctx context.Context, folder string) (rows []record.Row, reasons []string, err error) {
	if rows, err = record.Read(folder); err == nil {
		reasons, err = mark(ctx, rows)
	}
	return rows, reasons, err
}

// mark marks the stale rows, and returns the reasons.
func mark(ctx context.Context, rows []record.Row) (reasons []string, err error) {
	work, err := os.MkdirTemp("", "ur-stale-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	c := &comparer{ctx, work, make(map[string]*code.Tree), make(map[string]string)}
	for i, row := range rows {
		why, err := c.why(row)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", row.Name, err)
		}
		rows[i].Stale, reasons = why != "", append(reasons, why)
	}
	return reasons, nil
}

// why returns the reason why a row is stale, or "".
func (c *comparer) why(row record.Row) (string, error) {
	p := row.Provenance
	switch {
	case strings.HasPrefix(row.Note, "published: "): // measured elsewhere
		return "", nil
	case p.Commit == "":
		return "no commit is known", nil
	case strings.HasSuffix(p.Commit, "+dirty"):
		return "the tree had uncommitted changes", nil
	}
	begin, ok := rootsOf(row)
	if !ok {
		return "the command is gone", nil
	}
	tags := tagsOf(p.Go)
	key := strings.Join([]string{p.Commit, p.Arch, strings.Join(tags, " "), begin.literal,
		strings.Join(begin.names, " ")}, "\n")
	if why, ok := c.known[key]; ok {
		return why, nil
	}
	after, err := c.tree("", p.Arch, tags...)
	if err != nil {
		return "", err
	}
	before, err := c.tree(p.Commit, p.Arch, tags...)
	switch {
	case errors.Is(err, errNoCommit):
		c.known[key] = "its commit is not in this history"
	case err != nil:
		return "", err
	default:
		c.known[key] = begin.compare(before, after)
	}
	return c.known[key], nil
}

// tagsOf returns the build tags that files of the module ask for, of a version such as go1.27.4-X:simd.
func tagsOf(version string) (tags []string) {
	release, experiments, _ := strings.Cut(version, "-X:")
	if goversion.Compare(release, "go1.27") >= 0 {
		tags = append(tags, "go1.27")
	}
	if slices.Contains(strings.Split(experiments, ","), "simd") {
		tags = append(tags, "goexperiment.simd")
	}
	return tags
}

// errNoCommit is the error of a commit that is not in the history of the current one.
var errNoCommit = errors.New("commit is not in this history")

// tree reads the declarations of a commit, or of the working folder for "".
func (c *comparer) tree(commit, arch string, tags ...string) (*code.Tree, error) {
	key := commit + " " + arch + " " + strings.Join(tags, " ")
	if c.trees[key] != nil {
		return c.trees[key], nil
	}
	folder := "."
	if commit != "" {
		var err error
		if folder, err = c.checkOut(commit); err != nil {
			return nil, err
		}
	}
	t, err := code.Read(folder, arch, tags...)
	c.trees[key] = t
	return t, err
}

// checkOut writes the files of a commit, and returns their folder.
func (c *comparer) checkOut(commit string) (folder string, err error) {
	folder = filepath.Join(c.work, commit)
	if _, err := os.Stat(folder); err == nil {
		return folder, nil
	}
	// A commit of no branch is in this clone alone: what was amended or rebased is not in the next one.
	repository, err := git.Open(c.ctx, ".")
	if err != nil {
		return "", err
	}
	if _, err := repository.Run(c.ctx, "merge-base", "--is-ancestor", commit, "HEAD"); err != nil {
		return "", errNoCommit
	}
	return folder, repository.CheckOut(c.ctx, commit, folder)
}

// roots are the declarations in which the code of a row begins.
type roots struct {
	names   []string
	literal string // also declarations of engines with it, unless it is ""
}

// commandRoots are the declarations in which commands begin. Flags and printed text have no part in figures.
var commandRoots = []struct {
	command string
	names   []string
}{
	{"ur regret ", []string{"play.Regret", "play.ParsePlayer"}},
	{"ur match ", []string{"play.Match", "play.ParsePlayer"}},
	{"ur solve", []string{"solve.Solve"}},
	{"ur train td ", []string{"train.Run.Do", "train.TDConfig.Learner", "train.tdLearner.Step"}},
	{"ur train tree ", []string{"train.Run.Do", "train.TreeConfig.Learner", "train.treeLearner.Step"}},
	{"reversi match ", []string{"reversi.Match.Play", "reversi.ParsePlayer"}},
	{"reversi train ", []string{"reversi/train.Plan.Run"}},
	{"benchab ", []string{"bench/ab.Run"}},
	{"lookups ", []string{"tools/records.measureLookups"}},
	{"growth ", []string{"tools/records.growthOf"}},
	{"trials ", []string{"tools/trials.Family.Run", "tools/trials.experiments"}},
}

// benchRoots are the declarations in which suites of "ur bench run" begin.
var benchRoots = map[string]string{
	"engines": "bench.selectEngines", "instructions": "bench.selectEngines", "limits": "bench.selectEngines",
	"moves": "bench.selectMoves", "pieces": "bench.selectPieces", "scaling": "bench.selectScaling",
	"search": "bench.selectSearch", "nets": "bench.selectNets", "reversi": "bench.selectReversi",
}

// rootsOf returns the declarations behind a row, and whether there are any.
func rootsOf(row record.Row) (r roots, ok bool) {
	command := row.Provenance.Command + " "
	if strings.HasPrefix(command, "ur bench run ") || strings.HasPrefix(command, "limits ") {
		r.names = []string{benchRoots[row.Suite], "bench/sample.Measure"}
		if row.Suite == "instructions" {
			r.names = append(r.names, "bench.Counter.Count")
		}
		if board, eval := row.Keys["board"], row.Keys["eval"]; board != "" {
			r.literal = board + "/" + eval
		}
		return r, r.names[0] != ""
	}
	for _, c := range commandRoots {
		if strings.HasPrefix(command, c.command) {
			return roots{names: c.names}, true
		}
	}
	return r, false
}

// isCut stops at packages for the storage and print of figures, and at the list of engines: an engine has no
// part in the figures of another one or of players, whose moves are the same with every engine.
func isCut(name string) bool {
	return strings.HasPrefix(name, "engine.") || strings.HasPrefix(name, "bench/record.") ||
		strings.HasPrefix(name, "bench/report.")
}

// compare returns the reason why the code of two trees differs, or "".
func (r roots) compare(before, after *code.Tree) string {
	var reached [2]map[string]string
	for side, t := range []*code.Tree{before, after} {
		names := slices.Clone(r.names)
		if r.literal != "" {
			own := append(t.Containing(".", r.literal), t.Containing("engine/internal/", r.literal)...)
			if own == nil {
				return "the engine is gone"
			}
			names = append(names, own...)
		}
		var err error
		if reached[side], err = t.Reach(names, isCut); err != nil {
			return err.Error() + [2]string{" at its commit", ""}[side]
		}
	}
	changed := code.Differing(reached[0], reached[1])
	switch {
	case len(changed) == 0:
		return ""
	case len(changed) == 1:
		return changed[0] + " has changed"
	}
	return fmt.Sprintf("%s and %d others have changed", changed[0], len(changed)-1)
}

// neededReports returns the reports with stale rows or without rows, and prints the time they took before.
func neededReports(ctx context.Context, folder string, all []suite, words []string) (needed []toolReport, err error) {
	rows, _, err := readMarked(ctx, folder)
	if err != nil {
		return nil, err
	}
	var known time.Duration
	unknown := 0
	for _, s := range all {
		for _, r := range s.reports {
			if s.alone && !slices.Contains(words, s.name) || !r.has(words) || r.isFresh(rows) {
				continue
			}
			needed = append(needed, r)
			took := "?"
			if d := r.lastTime(rows); d > 0 {
				known += d
				took = d.String()
			} else {
				unknown++
			}
			fmt.Fprintf(os.Stderr, "%8s  %s\n", took, r.command)
		}
	}
	fmt.Fprintf(os.Stderr, "%s, %v by their last runs, %d of unknown time\n", text.Plural(len(needed), "command"),
		known, unknown)
	return needed, nil
}

// isFresh reports whether a report has rows of one machine without a stale one.
func (r toolReport) isFresh(rows []record.Row) bool {
	first, _, _ := strings.Cut(r.name, "${") // some commands run several times
	// Older commits wrote no limit of the time as --time 0.
	command := func(row record.Row) string { return strings.Replace(row.Provenance.Command, " --time 0", "", 1) }
	own := slices.DeleteFunc(slices.Clone(rows), func(row record.Row) bool {
		return row.Suite != r.suite || command(row) != r.command || !strings.HasPrefix(row.Name, first)
	})
	isStale := func(row record.Row) bool { return row.Stale }
	machines := text.Groups(own, func(row record.Row) string { return row.Provenance.Processor() })
	return slices.ContainsFunc(machines, func(g []record.Row) bool { return !slices.ContainsFunc(g, isStale) })
}

// lastTime is the time of the latest run of a report, or 0.
func (r toolReport) lastTime(rows []record.Row) time.Duration {
	latest, seconds := "", 0.0
	for _, row := range rows {
		if p := row.Provenance; row.Suite == r.suite && p.Command == r.command && p.Date >= latest {
			latest, seconds = p.Date, cmp.Or(p.Took, row.Metrics["seconds"], seconds)
		}
	}
	return time.Duration(seconds * float64(time.Second)).Round(time.Second)
}
