// Package affinity pins threads and processes to a core.
package affinity

// Any is the core on which the thread runs.
const Any = -1
