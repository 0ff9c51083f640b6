// Package lanes holds the engines lanes/go and lanes/avx512, which play many games in lockstep.
package lanes
