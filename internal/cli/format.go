package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Formats of tables.
const (
	FormatText       = "text"
	FormatMarkdown   = "markdown"
	FormatCSV        = "csv"
	FormatJSON       = "json"
	FormatBenchmarks = "benchfmt"
)

// formatFlag is a flag with a closed set of formats.
type formatFlag struct {
	chosen  *string
	formats []string
}

func (f formatFlag) String() string {
	if f.chosen == nil {
		return ""
	}
	return *f.chosen
}

func (f formatFlag) Set(text string) error {
	if !slices.Contains(f.formats, text) {
		return errors.New("no such format")
	}
	*f.chosen = text
	return nil
}

// Type is the name used by flagError.
func (f formatFlag) Type() string {
	return "format (want one of " + strings.Join(f.formats, ", ") + ")"
}

// AddFormatFlags adds --format, with the first of the formats as its default, and --json, short
// for one of them. The noun names the printed result.
func AddFormatFlags(cmd *cobra.Command, format *string, asJSON *bool, what string, formats []string) {
	*format = formats[0]
	cmd.Flags().Var(formatFlag{format, formats}, "format", "`format` of "+what+": "+strings.Join(formats, ", "))
	cmd.Flags().BoolVar(asJSON, "json", false, "short for --format json: one JSON object")
	CompleteFrom(cmd, "format", formats...)
}

// ChooseFormat returns the format of the two flags, if they do not contradict each other; given
// reports whether the user typed --format.
func ChooseFormat(format string, given, asJSON bool) (string, error) {
	switch {
	case asJSON && given && format != FormatJSON:
		return "", UsageError("--json cannot be used with --format %s", format)
	case asJSON:
		return FormatJSON, nil
	}
	return format, nil
}
