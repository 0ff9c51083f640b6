package solvecmd

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/spf13/cobra"
)

// tableVerification is "ur table verify" and the JSON form of its result.
type tableVerification struct {
	Schema    string   `json:"schema"` // ur.table.verify/1
	File      string   `json:"file"`
	Sound     bool     `json:"sound"`               // whether all checks passed
	Checked   string   `json:"checked"`             // by checksums, residual or form
	Problem   string   `json:"problem,omitempty"`   // the error, if not sound
	Offset    *int64   `json:"offset,omitempty"`    // of the byte at fault
	Residual  *float64 `json:"residual,omitempty"`  // if it was asked for
	Tolerance *float64 `json:"tolerance,omitempty"` // of the residual

	// NotVerified describes the damage that the checks of a sound file cannot find.
	NotVerified string `json:"not_verified,omitempty"`

	env       *cli.Env
	residual  bool
	tolerance float64 // 0: by the encoding
	json      bool
}

const tableVerifyLong = `Verify reads a whole table file. In a .urt it checks all checksums, which detect any
damage, and that all values are probabilities. A .rgu has no checksums: verify checks
its keys and the range of its values, which does not prove that it is sound.

With --residual it also compares the value of every position with the value computed
from the positions one turn later. The largest difference is the residual. It must not
exceed the effect of rounding the values; --tolerance sets another limit. A .rgu of
seven pieces takes 1.1 GB of memory. For a .rgu of up to 5 pieces this check always
runs. The output names the kinds of damage to a .rgu that this check cannot find.

Exit codes: 0 the table is sound; 2 bad usage, or no such file; 3 the table is not
sound; 130 interrupted.`

// newTableVerifyCommand returns "ur table verify".
func newTableVerifyCommand(env *cli.Env) *cobra.Command {
	v := &tableVerification{Schema: "ur.table.verify/1", env: env}
	cmd := &cobra.Command{
		Use:   "verify FILE",
		Short: "Check a table file from end to end",
		Long:  tableVerifyLong,
		Example: `  ur table verify finkel.urt
  ur table verify finkel.rgu --residual --json`,
		Args:              cli.Exactly(1, "one file"),
		ValidArgsFunction: completeTables(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			v.File = args[0]
			return v.run(cmd.Context(), cmd.Flags().Changed("tolerance"))
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&v.residual, "residual", false, "compare every value with that computed from the next positions")
	flags.Float64Var(&v.tolerance, "tolerance", 0, "largest `residual` of a sound table, in probability (default by the rounding)")
	flags.BoolVar(&v.json, "json", false, "print one JSON object, of schema ur.table.verify/1")
	return cmd
}

// run verifies and prints the result.
func (v *tableVerification) run(ctx context.Context, limited bool) error {
	switch {
	case limited && !v.residual:
		return cli.UsageError("--tolerance needs --residual")
	case limited && !(v.tolerance >= 0 && !math.IsInf(v.tolerance, 1)):
		return cli.UsageError("--tolerance must be at least 0, got %v", v.tolerance)
	}
	err := v.verify(ctx, limited)
	var problem *solve.FormatError
	var failed *cli.ExitError
	switch {
	case errors.As(err, &problem):
		v.Problem, v.Offset = problem.Msg, &problem.Offset
		err = cli.VerificationError("%w", err)
	case errors.As(err, &failed) && failed.Code == cli.FailedVerification:
		v.Problem = err.Error()
	case err != nil:
		return err
	}
	v.Sound = err == nil
	if v.json {
		return errors.Join(err, cli.WriteJSON(v.env.Stdout, v))
	}
	if v.Residual != nil {
		fmt.Fprintf(v.env.Stdout, "%s: residual %.3g, at most %.3g\n", v.File, *v.Residual, *v.Tolerance)
	}
	if v.Sound {
		fmt.Fprintf(v.env.Stdout, "%s: %s\n", v.File, verdicts[v.Checked])
	}
	if v.NotVerified != "" {
		fmt.Fprintf(v.env.Stdout, "%s: not verified: %s\n", v.File, v.NotVerified)
	}
	return err
}

// Methods of verification.
const (
	byChecksums = "checksums"
	byResidual  = "residual"
	byForm      = "form"
)

// verdicts explain a verification without findings.
var verdicts = map[string]string{
	byChecksums: "sound",
	byResidual:  "no checksums, but its values follow by the rules from each other",
	byForm:      "keys and values have the right form; without checksums damages may remain unseen: --residual compares the values with the rules",
}

// quickResidual is the largest number of pieces at which the values of a table without
// checksums are compared with the rules by default: that takes some seconds.
const quickResidual = 5

// verify opens and checks the file.
func (v *tableVerification) verify(ctx context.Context, limited bool) error {
	t, err := solve.OpenAny(v.File)
	if err != nil {
		return cli.UsageError("%w", err)
	}
	defer t.Close()
	bar := cli.NewPartBar(v.env, "reading")
	err = t.Verify(ctx, func(done, total int64) { bar.Done(float64(done) / float64(total)) })
	bar.Clear()
	v.Checked = byChecksums
	if t.Info().Encoding.Format() == "rgu" {
		v.Checked = byForm
		v.residual = v.residual || t.Pieces() <= quickResidual
		if v.residual {
			v.Checked = byResidual
		}
	}
	if err != nil || !v.residual {
		return err
	}
	if !limited {
		v.tolerance = t.Info().Encoding.Residual()
	}
	wait := cli.NewWait(v.env, "comparing all values with the rules")
	residual, err := certifyFile(ctx, t)
	wait.Clear()
	if err != nil {
		return err
	}
	v.Residual, v.Tolerance = &residual, &v.tolerance
	if residual > v.tolerance {
		return cli.VerificationError("%s: not a solution: the residual is %.3g (want %.3g at most)", v.File, residual, v.tolerance)
	}
	if v.Checked == byResidual {
		v.NotVerified = fmt.Sprintf("a change of a value by up to %.3g, and the description in the header", 2*v.tolerance)
	}
	return nil
}

// certifyFile measures the residual. Of a .rgu, where a look-up by rank has a long
// way, the values are brought into memory first.
func certifyFile(ctx context.Context, t solve.RankedFile) (float64, error) {
	if t.Info().Encoding.Format() != "rgu" {
		return solve.Certify(ctx, t, 0)
	}
	values, err := solve.Load(ctx, t)
	if err != nil {
		return 0, err
	}
	return solve.Certify(ctx, values, 0)
}
