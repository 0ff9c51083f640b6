//go:build !linux

package process

import "syscall"

// MemoryInstalled returns the machine's memory in bytes, or 0 if unknown.
func MemoryInstalled() int64 { return 0 }

// CheckMemory does nothing: the memory is not known here.
func CheckMemory(int64) error { return nil }

// killMarked does nothing: the environment of other processes is not known here.
func killMarked(string) {}

func dieWithParent(*syscall.SysProcAttr) {}

// InheritedPeak returns the memory in bytes with which the peak of a program started now begins.
func InheritedPeak() int64 { return PeakMemory() }
