// Package mapped reads files as memory.
package mapped
