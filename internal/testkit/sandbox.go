package testkit

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Tests are the tests of a package, such as a [testing.M].
type Tests interface{ Run() int }

// Main runs tests in a sandbox and exits. The sandbox keeps tests and the programs they run from the user's files: it
// has a home, a cache, a configuration and temporary files of its own. A package whose tests run programs, or link a
// package that reads the user's folders, begins with
//
//	func TestMain(m *testing.M) { testkit.Main(m) }
func Main(tests Tests) { os.Exit(Wrap(tests).Run()) }

// Wrap returns tests in a sandbox, for a main function of another package.
func Wrap(tests Tests) Tests { return wrapped{tests} }

type wrapped struct{ tests Tests }

func (w wrapped) Run() int {
	folder, err := os.MkdirTemp("", "ur-test-")
	if err == nil {
		defer os.RemoveAll(folder)
		err = enter(folder)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := w.tests.Run()
	for _, end := range ends {
		end()
	}
	return code
}

// ends are the functions of [AtEnd].
var ends []func()

// AtEnd calls a function after all tests of a package that begins with [Main].
func AtEnd(end func()) { ends = append(ends, end) }

// Run runs a command, and ends the test with its output if it fails. Otherwise it returns the output.
func Run(t testing.TB, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	return string(out)
}

// user matches the variables of the user's languages and of the Git hook that runs the tests.
var user = regexp.MustCompile(`^(LANG|LC_|GIT_)`)

// enter makes a folder the home of this process. Go's settings and caches stay the user's, so nothing is
// downloaded or built twice. Programs of the tests collect garbage rarely, which takes less time.
func enter(folder string) error {
	variables := map[string]string{"GOGC": "400"} // of programs that end soon, most of them go and its linker
	if _, err := exec.LookPath("go"); err == nil {
		names := []string{"GOENV", "GOCACHE", "GOMODCACHE"}
		values, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
		if err != nil {
			return fmt.Errorf("go env: %w", err)
		}
		for i, value := range strings.SplitN(string(values), "\n", len(names)) {
			variables[names[i]] = strings.TrimSpace(value)
		}
	}
	for _, name := range homes {
		variables[name] = filepath.Join(folder, "home")
	}
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		variables[name] = filepath.Join(folder, "tmp")
	}
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); user.MatchString(name) {
			if err := os.Unsetenv(name); err != nil {
				return err
			}
		}
	}
	for name, value := range variables {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	return errors.Join(os.Mkdir(variables["HOME"], 0o777), os.Mkdir(variables["TMPDIR"], 0o777), endTelemetry())
}

// endTelemetry keeps commands of Go from starting a process that writes into the home after they end.
func endTelemetry() error {
	folder, err := os.UserConfigDir()
	if err != nil {
		return err
	}
	folder = filepath.Join(folder, "go", "telemetry")
	return errors.Join(os.MkdirAll(folder, 0o777), os.WriteFile(filepath.Join(folder, "mode"), []byte("off"), 0o666))
}

// homes are the variables of all systems with the user's home, cache and configuration.
var homes = []string{"HOME", "USERPROFILE", "XDG_CACHE_HOME", "LocalAppData", "XDG_CONFIG_HOME", "AppData"}

// SetHome makes a folder the home and the cache of one test.
func SetHome(t testing.TB, folder string) {
	t.Helper()
	for _, name := range homes {
		t.Setenv(name, folder)
	}
}

// Pipe makes a named pipe in a folder of the test, and skips the test where there are none.
func Pipe(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "pipe")
	if err := exec.Command("mkfifo", name).Run(); err != nil {
		t.Skip(err)
	}
	return name
}
