#!/usr/bin/env bash
# Prints the record of fleets, in Go's benchmark format:
#
#	fleet/record.sh > results/fleet.txt
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
commit=$(git describe --always --dirty --abbrev=12)
printf 'commit: %s\n' "${commit/-dirty/+dirty}"
printf 'date: %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)"
printf 'go: %s\n' "$(go env GOVERSION)"
printf 'cores: %s\n' "$(nproc)"
printf 'load: %s\n' "$(cut -d' ' -f1-3 /proc/loadavg)"
go test -run '^$' -bench 'Jobs|OpenTasks' -benchtime 50000x .
go test -run '^$' -bench Workers -benchtime 1x -timeout 20m . -workers 10,100,1000 -task 10s -work 60s
