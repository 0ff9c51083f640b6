package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// AcceptJSON accepts --json, as of other commands, where the output always is JSON lines. Help does not list
// a flag without effect.
func AcceptJSON(cmd *cobra.Command) {
	cmd.Flags().Bool("json", false, "")
	cmd.Flags().Lookup("json").Hidden = true
}

// flagError turns the flag parser's errors into usage errors with the right form.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		names := flagNames(cmd)
		right := ", only " + strings.Join(names, ", ")
		name := dashFlag(unknown.GetSpecifiedName())
		if near := Nearest(name, names); near != "" {
			right = fmt.Sprintf(": did you mean %q?", near)
		}
		return UsageError("%s has no flag %s%s\n%s", commandName(cmd), name, right, seeHelp(cmd))
	case errors.As(err, &invalid):
		flag := invalid.GetFlag()
		return UsageError("--%s: %q is not %s\n%s", flag.Name, invalid.GetValue(), valueKind(flag), seeHelp(cmd))
	}
	return UsageError("%w\n%s", err, seeHelp(cmd))
}

// checkFlagGroups returns a usage error if mutually exclusive flags were set. Cobra checks them
// later and in other words.
func checkFlagGroups(cmd *cobra.Command) error {
	err := cmd.ValidateFlagGroups()
	if err == nil {
		return nil
	}
	_, list, _ := strings.Cut(err.Error(), "can be; [") // the set flags of a mutually exclusive group
	list, found := strings.CutSuffix(list, "] were all set")
	if !found {
		return UsageError("%w\n%s", err, seeHelp(cmd))
	}
	names := strings.Fields(list)
	for i, name := range names {
		names[i] = "--" + name
	}
	return UsageError("%s cannot be used together (want one of them)\n%s", strings.Join(names, " and "), seeHelp(cmd))
}

// checkEmptyFlags returns a usage error for a flag with an empty text, as from an unset variable
// of a script: no flag means anything by it that leaving it out would not.
func checkEmptyFlags(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if err == nil && slices.Contains([]string{"", "[]"}, flag.Value.String()) && takesText(flag) {
			err = UsageError("--%s is empty (want a value, or leave it out)\n%s", flag.Name, seeHelp(cmd))
		}
		if err == nil && flag.Name == "parallel" && flag.Value.String() == "0" {
			err = UsageError("--parallel must be at least 1, got 0 (leave it out for one thread per processor)")
		}
	})
	return err
}

func takesText(flag *pflag.Flag) bool {
	kind := flag.Value.Type()
	return kind == "string" || kind == "stringSlice" || kind == "stringArray"
}

func dashFlag(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

func flagNames(cmd *cobra.Command) (names []string) {
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if !flag.Hidden {
			names = append(names, "--"+flag.Name)
		}
	})
	return names
}

func valueKind(flag *pflag.Flag) string {
	switch flag.Value.Type() {
	case "int", "int64":
		return "an integer"
	case "float64":
		return "a number"
	case "uint64":
		return "an integer from 0 to 18446744073709551615"
	case "bool":
		return "true or false"
	}
	return "a " + flag.Value.Type()
}

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

// completeFlags adds a completion to every flag of a command without one: folders for a folder, and
// files for a file. Others get none: files would mislead.
func completeFlags(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if _, ok := cmd.GetFlagCompletionFunc(flag.Name); ok || flag.Value.Type() == "bool" {
			return
		}
		name, usage := pflag.UnquoteUsage(flag)
		about := strings.ToLower(name + " " + usage)
		switch text := takesText(flag); {
		case text && (strings.HasPrefix(about, "folder") || strings.Contains(about, "string folder")):
			CompleteFlag(cmd, flag.Name, cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs))
		case !text || !strings.Contains(about, "file"):
			CompleteFrom(cmd, flag.Name)
		}
	})
}

// CompleteFrom completes a flag from fixed values.
func CompleteFrom(cmd *cobra.Command, flag string, values ...string) {
	CompleteFlag(cmd, flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// CompleteFlag sets a flag's completion.
func CompleteFlag(cmd *cobra.Command, flag string, complete cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic(err) // the flag is not there, or registered twice
	}
}
