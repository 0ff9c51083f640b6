#!/usr/bin/env bash
# Measures rule sets, all built-in ones by default, and replaces their lines in the record:
#
#	board/rules/record.sh [NAME...]
#
# Regret and luck need the table of "ur solve --rules NAME" in the cache, and are left out
# without it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
record=results/rules.jsonl
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
go build -o "$work/ur" ./cmd/ur
cache=${XDG_CACHE_HOME:-~/.cache}/ur
(($# > 0)) || set -- finkel blitz masters masters4 aseb
for name; do
	{
		grep -v "\"rules\":\"$name\"" "$record" || true
		"$work/ur" match greedy greedy --rules "$name" --games 100000 --json
		if "$work/ur" regret first --rules "$name" --positions 2 --json >"$work/table" 2>&1; then
			"$work/ur" table info "$cache/$name"[0-9].urt --json | sed 's/"file":"[^"]*",//'
			"$work/ur" match net greedy --rules "$name" --games 20000 --luck --json
			for player in random greedy net net@2; do
				"$work/ur" regret "$player" --rules "$name" --positions 200000 --seed 2 --json
			done
		else
			echo "$name: no regret and no luck: $(<"$work/table")" >&2
		fi
	} >"$work/record"
	cp "$work/record" "$record"
done
