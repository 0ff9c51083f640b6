#!/usr/bin/env bash
# The steps of action.yml: action.sh prepare, compare, comment or comment_fork. Their inputs are
# environment variables. Everything here runs with bash 3.2 of macOS and with Git for Windows.
set -euo pipefail

# prepare builds benchab while valgrind is installed, and names the folder and the artifact of the
# report after the job, its matrix and the inputs, so jobs of a matrix do not overwrite each other.
prepare() {
	local key
	key=$(printf '%s' "${GITHUB_WORKFLOW-} ${GITHUB_JOB-} $KEY" | cksum | cut -d ' ' -f 1)
	printf 'artifact=benchab-%s\nfolder=%s\n' "$key" "$RUNNER_TEMP/benchab-$key" >>"$GITHUB_OUTPUT"
	install_valgrind >"$RUNNER_TEMP/valgrind.log" 2>&1 &
	build_benchab
	wait # without valgrind, time judges alone
}

# build_benchab builds benchab from the commit of the action, for this machine, with the settings of
# this function instead of those of the job. Values also override those that "go env -w" stored.
build_benchab() (
	local source go=go os arch
	source=$(cd "$GITHUB_ACTION_PATH/../.." && pwd)
	unset GOROOT GOEXPERIMENT
	export GOTOOLCHAIN=auto GOFLAGS=-mod=readonly GOWORK=off GO111MODULE=on CGO_ENABLED=0
	cd / # outside of a module every go command starts
	os=$(go env GOHOSTOS)
	arch=$(go env GOHOSTARCH)
	export GOOS=$os GOARCH=$arch
	# Go before 1.21 does not know this variable.
	[ -n "$(go env GOTOOLCHAIN)" ] || fetch_toolchain
	cd "$source"
	"$go" build -o "$RUNNER_TEMP/benchab$(go env GOEXE)" ./cmd/benchab
)

# fetch_toolchain sets $go to the toolchain of go.mod. Go before 1.21 cannot switch to it, but downloads
# and verifies it as a module. It lacks only file modes and names that modules cannot have.
fetch_toolchain() {
	local toolchain dir name
	toolchain=golang.org/toolchain@v0.0.1-go$(sed -n 's/^go //p' "$source/go.mod").$os-$arch
	go mod download "$toolchain"
	dir=$(go env GOMODCACHE)/$toolchain
	chmod u+w "$dir/src" "$dir/src/cmd"
	for name in "$dir/src" "$dir/src/cmd"; do
		[ -e "$name/go.mod" ] || cp "$name/_go.mod" "$name/go.mod"
	done
	chmod a+x "$dir"/bin/* "$dir"/pkg/tool/*/*
	go=$dir/bin/go
}

# install_valgrind installs valgrind on runners of GitHub. A self-hosted runner belongs to its owner.
install_valgrind() {
	if [ "${RUNNER_OS-}" != Linux ] || [ "${RUNNER_ENVIRONMENT-}" != github-hosted ] || command -v valgrind; then
		return
	fi
	set -- timeout 60 env DEBIAN_FRONTEND=noninteractive apt-get -qq -y
	[ "$(id -u)" = 0 ] || set -- sudo -n "$@"
	"$@" --no-install-recommends install valgrind || { "$@" update && "$@" --no-install-recommends install valgrind; }
}

# compare measures, and writes summary, annotations, comment and verdict.
compare() {
	local base status=0 reason='The log has the reason.'
	case $COMMENT in
	always | changes | never | true | false) ;;
	*) fail "comment: $COMMENT (want always, changes or never)" ;;
	esac
	git rev-parse --quiet --verify HEAD >/dev/null || fail "$PWD: no commit here (want actions/checkout before this action)"
	if [ -z "$BASE$(list_parents)" ]; then
		echo '::notice title=benchab::The first commit has no other to compare with.'
		echo verdict=nothing >>"$GITHUB_OUTPUT"
		return
	fi
	base=$(find_base) ||
		fail "base ${BASE:-of $GITHUB_EVENT_NAME}: unknown commit (want a branch, tag or hash of the remote, or fetch-depth: 0)"
	split_words "$PACKAGES $ARGS" || fail "packages and args: unmatched quote in $PACKAGES $ARGS"
	"$RUNNER_TEMP/benchab" "$base" HEAD ${words[@]+"${words[@]}"} --save "$FOLDER" --force || status=$?
	[ ! -f "$FOLDER/report.md" ] || publish_report
	if [ "$status" = 4 ] && [ "$FAIL_UNDECIDED" != true ]; then
		[ ! -f "$FOLDER/report.md" ] || reason=$(head -n 1 "$FOLDER/report.md" | tr -d '*')
		echo "::warning title=benchab cannot answer::$reason"
		status=0
	fi
	return "$status"
}

# publish_report writes the report to the places where it is read.
publish_report() {
	local title
	title="benchab: $GITHUB_JOB"
	[ "$MATRIX" = null ] || title="$title ($(printf '%s' "$MATRIX" | tr -d '{}"\n' | sed 's/  */ /g; s/^ //'))"
	{ printf '### %s\n\n' "$title"; cat "$FOLDER/report.md"; } >>"$GITHUB_STEP_SUMMARY"
	# GitHub rejects comments above 65,536 characters.
	{
		printf '<!-- %s -->\n### %s\n\n' "$(basename "$FOLDER")" "$title"
		awk '{ n += length($0) + 1 } n > 60000 { print "\nThe artifact has the rest."; exit } { print }' "$FOLDER/report.md"
	} >"$FOLDER/comment.md"
	cat "$FOLDER/annotations.txt"
	# The verdict of the run is the last one in the object.
	sed -n 's/.*"verdict": *"\([a-z-]*\)".*/verdict=\1/p' "$FOLDER/report.json" | tail -n 1 >>"$GITHUB_OUTPUT"
}

# split_words splits a text into $words as a shell does, with quotes, and without expanding anything.
split_words() {
	local word
	words=()
	[ -n "${1//[[:space:]]/}" ] || return 0
	printf '%s\n' "$1" | xargs printf '%s\0' >"$RUNNER_TEMP/words" || return
	while IFS= read -r -d '' word; do
		words+=("$word")
	done <"$RUNNER_TEMP/words"
}

# find_base prints the hash of the commit to compare with.
find_base() {
	case ${BASE:+given}$GITHUB_EVENT_NAME in
	given*) find_commit "$BASE" ;;
	pull_request*)
		# GitHub checks out the merge into the target branch; a workflow may check out the branch.
		if [ "$(list_parents | sed -n 2p)" = "$PULL_HEAD" ]; then
			find_commit HEAD^1
		else
			find_fork_point "$PULL_BASE"
		fi
		;;
	merge_group) find_commit "$QUEUE_BASE" ;;
	push)
		if [ -n "${PUSH_BASE//0/}" ]; then
			find_commit "$PUSH_BASE" || find_commit HEAD^1 # a forced push may have deleted it
		elif [ "$GITHUB_REF" = "refs/heads/$DEFAULT_BRANCH" ] || [ "${GITHUB_REF#refs/heads/}" = "$GITHUB_REF" ]; then
			find_commit HEAD^1
		else
			find_fork_point "$DEFAULT_BRANCH"
		fi
		;;
	*) find_commit HEAD^1 ;;
	esac
}

# list_parents prints the parents of HEAD, which a shallow checkout names, too.
list_parents() { git cat-file commit HEAD | sed -n '1,/^$/s/^parent //p'; }

# find_commit prints the hash of a revision, which it fetches if the checkout is shallow.
find_commit() {
	local name=${1%%[~^]*} tip
	git rev-parse --quiet --verify "$1^{commit}" && return
	tip=$(git rev-parse --quiet --verify "$name^{commit}") || tip=$(fetch_tip "$name") || return
	deepen_until "$tip" git rev-parse --quiet --verify "$tip${1#"$name"}^{commit}"
}

# find_fork_point prints the hash of the commit where HEAD left a branch.
find_fork_point() {
	local tip
	tip=$(find_commit "$1") || return
	deepen_until "$tip" git merge-base "$tip" HEAD
}

# fetch_tip fetches a branch, a tag or a hash, and prints its hash. Only a full fetch finds
# abbreviated hashes.
fetch_tip() {
	local depth=
	[ "$(git rev-parse --is-shallow-repository)" = false ] || depth=--depth=1
	if git fetch --quiet --no-tags $depth origin "$1" 2>/dev/null; then
		git rev-parse --verify 'FETCH_HEAD^{commit}'
	else
		git fetch --quiet --tags ${depth:+--unshallow} origin '+refs/heads/*:refs/remotes/origin/*' &&
			git rev-parse --quiet --verify "$1^{commit}"
	fi
}

# deepen_until TIP COMMAND... fetches more of the history below TIP and HEAD until the command
# succeeds, and prints its output.
deepen_until() {
	local tip=$1 depth=1
	shift
	until "$@"; do
		[ "$(git rev-parse --is-shallow-repository)" = true ] || return
		git fetch --quiet --no-tags --deepen="$depth" origin "$tip" "$(git rev-parse HEAD)" || return
		depth=$((depth * 4))
	done
}

# comment keeps the comment of this job up to date. A job that cannot comment does not fail.
comment() {
	[ ! -f "$FOLDER/comment.md" ] || post_comment "$NUMBER" "$FOLDER/comment.md" "$FOLDER/report.json" ||
		echo '::warning title=benchab::The report is no comment: the job needs gh, and the permission pull-requests: write.'
}

# comment_fork comments with the reports of another workflow's run. The code of a stranger made the
# reports: the commit finds the pull request, and no name in the report becomes a mention.
comment_fork() {
	local number file folder=$RUNNER_TEMP/benchab-fork
	number=$(gh api --method GET "repos/$GITHUB_REPOSITORY/pulls" --field state=open --field "head=$FORK:$BRANCH" \
		--jq ".[] | select(.head.sha == \"$COMMIT\") | .number" | sed -n 1p)
	if [ -z "$number" ]; then
		echo "::notice title=benchab::No open pull request has the commit $COMMIT."
		return
	fi
	gh run download "$RUN" --repo "$GITHUB_REPOSITORY" --pattern 'benchab-*' --dir "$folder"
	for file in "$folder"/*/comment.md; do
		head -c 60000 "$file" | sed 's/@/@<!-- -->/g' >"$RUNNER_TEMP/comment.md"
		post_comment "$number" "$RUNNER_TEMP/comment.md" "${file%comment.md}report.json"
	done
}

# has_changes REPORT succeeds if a benchmark in the JSON report became slower or faster. Quotes in names are escaped there.
has_changes() { grep -Eq '"verdict": *"(slower|faster|more-work|less-work)"' "$1"; }

# post_comment NUMBER FILE REPORT replaces the comment that has the same first line, or adds one if it is wanted.
post_comment() {
	local comments=repos/$GITHUB_REPOSITORY/issues/$1/comments marker id
	marker=$(sed -n 1p "$2")
	[[ $marker =~ ^'<!-- benchab-'[0-9]+' -->'$ ]] || return
	id=$(gh api --paginate "$comments" --jq ".[] | select(.body | startswith(\"$marker\")) | .id" | sed -n 1p) || return
	if [ -n "$id" ]; then
		gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" --field "body=@$2"
	elif [ "$COMMENT" != changes ] || has_changes "$3"; then
		gh api --silent --method POST "$comments" --field "body=@$2"
	fi
}

# fail ends the job with an error that stands in its list of annotations.
fail() {
	echo "::error title=benchab::$1"
	exit 2
}

"$1"
