// Package trials measures how honest the verdicts of this module are: how often
// "ur bench gate" and "ur bench ab" find a change where there is none, and how often
// they miss one.
//
// A [Machine] simulates measurements with a known noise and a known change. [Family]
// judges such measurements as "ur bench ab" does. [Self] takes real measurements of one
// subject against itself, with a known part of the time wasted on one side, and [Gate]
// lets the rule of "ur bench gate" judge them.
package trials
