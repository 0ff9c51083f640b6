//go:build !amd64 || purego

package squares

import "github.com/seed-09dcdc84/ur"

// AVX2 is an engine of assembly, which this build is without.
var AVX2 ur.Engine
