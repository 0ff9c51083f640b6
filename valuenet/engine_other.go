//go:build !amd64 || purego

package valuenet

var assembled []*Engine
