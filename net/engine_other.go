//go:build !amd64 || purego

package net

var assembled []*Engine
