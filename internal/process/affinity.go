// Package process pins threads and processes to a core, ends a command together with the
// processes it started, and splits command lines into words.
package process

// AnyCore is the core on which the thread runs.
const AnyCore = -1
