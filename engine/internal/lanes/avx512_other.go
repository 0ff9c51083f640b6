//go:build !amd64 || purego

package lanes

import "github.com/seed-09dcdc84/ur"

// AVX512 is an engine of assembly, which this build is without.
var AVX512 ur.Engine
