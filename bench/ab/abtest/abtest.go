// Package abtest makes repositories of the modules in testdata, on which the comparison of
// commits is tried and measured.
package abtest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/git"
)

// Make makes folders of a module commits of a new repository in a folder, in the order given. Each
// has its folder's name as tag. The names of the files in testdata end in .txt.
func Make(testdata, dir string, tags ...string) error {
	err := Git(dir, "init", "-q", "-b", "main")
	for _, tag := range tags {
		err = errors.Join(err, copyModule(filepath.Join(testdata, tag), dir), commit(dir, tag))
	}
	return err
}

// commit commits all files of a folder, and tags the commit.
func commit(dir, tag string) error {
	return errors.Join(Git(dir, "add", "-A"), Git(dir, "commit", "-q", "-m", tag), Git(dir, "tag", tag))
}

// copyModule copies the files of a commit over those of the one before.
func copyModule(from, to string) error {
	return filepath.WalkDir(from, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		into := filepath.Join(to, strings.TrimSuffix(name, ".txt"))
		return errors.Join(os.MkdirAll(filepath.Dir(into), 0o777), os.WriteFile(into, text, 0o666))
	})
}

// Git runs git in a folder, under a made-up identity and without the user's settings.
func Git(dir string, args ...string) error {
	g := git.Git{Dir: dir, Settings: []string{"user.name=a", "user.email=a@example.com"},
		Env: []string{"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_SYSTEM=" + os.DevNull}}
	_, err := g.Run(context.Background(), args...)
	return err
}
