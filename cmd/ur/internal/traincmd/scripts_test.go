package traincmd_test

import (
	"testing"

	"github.com/seed-09dcdc84/ur/cmd/ur/internal/scripttest"
)

func TestMain(m *testing.M) { scripttest.Main(m, nil) }

func TestScripts(t *testing.T) { scripttest.Run(t) }
