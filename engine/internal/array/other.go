//go:build !amd64 || purego

package array

import "github.com/seed-09dcdc84/ur"

// AVX512 is nil: this build has no assembly.
var AVX512 ur.Engine
