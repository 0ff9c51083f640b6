// Package lanes holds the engines lanes/go and lanes/avx512: they play many games in lockstep.
package lanes
