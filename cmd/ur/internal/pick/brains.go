package pick

import (
	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/play"
)

// BrainFile reads a brain file named by the user.
func BrainFile(name string) (*ur.Brain, error) {
	b, err := play.ReadBrainFile(name)
	if err != nil {
		return nil, cli.UsageError("%w", err)
	}
	return b, nil
}
