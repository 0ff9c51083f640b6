//go:build purego || !(amd64 || (arm64 && go1.27))

package valuenet

var assembled []*Engine
