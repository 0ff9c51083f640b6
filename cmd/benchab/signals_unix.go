//go:build unix

package main

import "syscall"

func init() { endSignals = append(endSignals, syscall.SIGHUP) }
