//go:build !amd64 || purego

package squares

import "github.com/seed-09dcdc84/ur"

// AVX2 is nil: this build has no assembly.
var AVX2 ur.Engine
