// Package pick selects engines, players, brains, tables and positions for the commands of ur.
// It holds their flags, the shell completion of these flags, and the errors for missing ones.
package pick
