package cli

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagError turns the flag parser's errors into usage errors with the right form.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		names := flagNames(cmd)
		right := ", only " + strings.Join(names, ", ")
		name := "--" + unknown.GetSpecifiedName()
		if len(name) == len("--o") {
			name = name[1:] // a letter has one dash
		}
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

// A FlagAdder is an option of a command that adds its flags itself, as the tag of its field says.
type FlagAdder interface {
	AddFlags(cmd *cobra.Command, tag reflect.StructTag)
}

// Overwrite is --force, the one flag to replace output files.
type Overwrite struct {
	Force bool `flag:"force" help:"replace existing output files"`
}

// JSONLines accepts --json, as of other commands, where the output always is JSON lines.
type JSONLines struct {
	JSON bool `flag:"json" help:"print JSON lines, as without this flag"`
}

// Texts are the values of a repeatable flag; a value may have commas.
type Texts []string

// WithFlags adds a flag to a command for each field of its options, in their order, and returns the command. Tags
// describe the flags:
//
//	flag:"output,o"         the name and, for some, the letter; a struct without a tag has flags in its fields
//	help:"write to <FILE>"  the description; <> mark the word for the value
//	default:"20"            the value without the flag, if the field has none yet
//	values:"A,B,C"          the values that the shell completes
//	unless:"json,resume"    flags that exclude this one
func WithFlags(cmd *cobra.Command, options any) *cobra.Command {
	for _, pair := range addFields(cmd, reflect.ValueOf(options).Elem()) {
		cmd.MarkFlagsMutuallyExclusive(pair...)
	}
	return cmd
}

// addFields adds the flags of a struct's fields, and returns the pairs that exclude each other.
func addFields(cmd *cobra.Command, options reflect.Value) (excluded [][]string) {
	for field, value := range options.Fields() {
		if !field.IsExported() {
			continue
		}
		pointer := value.Addr().Interface()
		name, tagged := field.Tag.Lookup("flag")
		if adder, ok := pointer.(FlagAdder); ok {
			adder.AddFlags(cmd, field.Tag)
		} else if tagged {
			AddFlag(cmd, pointer, field.Tag)
		} else if value.Kind() == reflect.Struct {
			excluded = append(excluded, addFields(cmd, value)...)
		}
		name, _, _ = strings.Cut(name, ",")
		for _, other := range splitTag(field.Tag, "unless") {
			excluded = append(excluded, []string{name, other})
		}
	}
	return excluded
}

// AddFlag adds the flag of a variable with the tags of [WithFlags].
func AddFlag(cmd *cobra.Command, pointer any, tag reflect.StructTag) {
	flags := cmd.Flags()
	name, letter, _ := strings.Cut(tag.Get("flag"), ",")
	help := Usage(tag.Get("help"))
	switch p := pointer.(type) {
	case pflag.Value:
		flags.VarP(p, name, letter, help)
	case *bool:
		flags.BoolVarP(p, name, letter, *p, help)
	case *int:
		flags.IntVarP(p, name, letter, *p, help)
	case *int64:
		flags.Int64VarP(p, name, letter, *p, help)
	case *uint64:
		flags.Uint64VarP(p, name, letter, *p, help)
	case *float64:
		flags.Float64VarP(p, name, letter, *p, help)
	case *time.Duration:
		flags.DurationVarP(p, name, letter, *p, help)
	case *string:
		flags.StringVarP(p, name, letter, *p, help)
	case *[]string:
		flags.StringSliceVarP(p, name, letter, *p, help)
	case *Texts:
		flags.StringArrayVarP((*[]string)(p), name, letter, *p, help)
	default:
		v := reflect.ValueOf(p)
		if v.Elem().Kind() != reflect.String {
			panic(fmt.Sprintf("flag %s is a %T, of which there is none", name, p))
		}
		flags.StringVarP(v.Convert(reflect.TypeFor[*string]()).Interface().(*string), name, letter, v.Elem().String(), help)
	}
	flag := flags.Lookup(name)
	if usual := tag.Get("default"); usual != "" && reflect.ValueOf(pointer).Elem().IsZero() {
		if err := flag.Value.Set(usual); err != nil {
			panic(fmt.Sprintf("default of flag %s: %v", name, err))
		}
		flag.DefValue = flag.Value.String()
	}
	if values := splitTag(tag, "values"); len(values) > 0 {
		CompleteFrom(cmd, name, values...)
	}
}

// Usage is a tag's description of a flag as the parser reads it, with backquotes around the word for the value.
func Usage(help string) string { return strings.NewReplacer("<", "`", ">", "`").Replace(help) }

func splitTag(tag reflect.StructTag, key string) []string {
	return strings.FieldsFunc(tag.Get(key), func(r rune) bool { return r == ',' })
}
