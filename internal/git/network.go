package git

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/lookup"
)

const (
	// netPatience is how long a call to a remote may take, if its caller does not say
	// less. A first fetch of a large board takes seconds.
	netPatience = 2 * time.Minute
	// maxFetch bounds what one fetch may bring: a remote may be filled with anything.
	maxFetch = 512 << 20
	// maxAdvertised bounds what a remote may say that it has.
	maxAdvertised = 8 << 20
)

// protocols are those that git itself speaks, or ssh and curl for it. All others are
// programs that an address could name.
const protocols = "file:git:http:https:ssh"

// toRemote returns the options of calls to a remote. Its address, route and
// credentials come from the user's own configuration, that of the clone included: a
// person has asked for this clone to be shared. Only the programs run that lead to the
// remote and log in there: core.sshCommand, core.gitProxy and credential.helper. The
// configuration comes first, so that the options after it override it.
func (r *Repo) toRemote() []string {
	o := []string{"--no-pager", "-c", "http.lowSpeedLimit=1", "-c", "http.lowSpeedTime=20", "-c", "core.fsync=all"}
	if r.config != "" {
		o = append(o, "-c", "include.path="+r.config)
	}
	for _, s := range []string{
		"safe.bareRepository=explicit",
		"core.bare=true", "core.hooksPath=" + os.DevNull, "core.fsmonitor=false", "core.alternateRefsCommand=", "core.askPass=", "log.showSignature=false",
		"core.logAllRefUpdates=false", "core.packedGitLimit=256m", "core.bigFileThreshold=16m",
		"credential.interactive=false",
		"gc.auto=0", "maintenance.auto=false",
		"fetch.fsckObjects=true", "fetch.unpackLimit=1", "transfer.unpackLimit=1", "fetch.recurseSubmodules=false", "submodule.recurse=false", "fetch.prune=false",
		"fetch.pruneTags=false", "fetch.writeCommitGraph=false", "fetch.bundleURI=", "transfer.bundleURI=false", "fetch.negotiationAlgorithm=consecutive", "fetch.output=full",
		"push.gpgSign=false", "push.followTags=false", "push.pushOption=", "push.negotiate=false", "push.recurseSubmodules=no", "push.useForceIfIncludes=false",
		"pack.packSizeLimit=0", "pack.writeReverseIndex=false", "pack.threads=1",
	} {
		o = append(o, "-c", s)
	}
	return o
}

// outwardEnvironment is environment with what leads to a remote, as the user has it.
// Nothing in it lets anybody ask for a password.
func outwardEnvironment(of []string, ssh string) []string {
	env := environment(of)
	env = slices.DeleteFunc(env, func(e string) bool {
		name, _, _ := strings.Cut(strings.ToUpper(e), "=")
		return name == "DISPLAY" || name == "WAYLAND_DISPLAY" || name == "GIT_ALLOW_PROTOCOL" || name == "GIT_GRAFT_FILE" // of which a remote in a folder would warn
	})
	allowed := protocols
	own := ""
	for _, e := range of {
		name, value, _ := strings.Cut(e, "=")
		switch upper := strings.ToUpper(name); {
		case upper == "GIT_ALLOW_PROTOCOL": // a person may have allowed less
			allowed = both(protocols, value)
		case upper == "GIT_SSH_COMMAND":
			own = value
		case upper == "GIT_SSH" && value != "" && ssh == "":
			ssh = "\x00" // a program that takes no options from here
			env = append(env, e)
		case strings.HasPrefix(upper, "GIT_SSH"), strings.HasPrefix(upper, "GIT_SSL_"), strings.HasPrefix(upper, "GIT_HTTP_"), strings.HasPrefix(upper, "GIT_PROXY_"), strings.HasPrefix(upper, "GIT_CONFIG_"):
			env = append(env, e)
		}
	}
	if ssh = cmp.Or(own, ssh); ssh != "\x00" {
		env = append(env, "GIT_SSH_COMMAND="+quietSSH(ssh))
	}
	return append(env, "GIT_ALLOW_PROTOCOL="+allowed, "SSH_ASKPASS_REQUIRE=never", "GCM_INTERACTIVE=never", "GIT_ASKPASS=")
}

// both is what two lists of protocols have in common; none that git knows if nothing is.
func both(a, b string) string {
	var in []string
	for name := range strings.SplitSeq(a, ":") {
		if slices.Contains(strings.Split(b, ":"), name) {
			in = append(in, name)
		}
	}
	return cmp.Or(strings.Join(in, ":"), "none")
}

// quietSSH is the command that git runs as ssh. OpenSSH is told not to ask
// anything, and not to wait long for a machine that does not answer; what else a
// person has set there is left alone.
func quietSSH(command string) string {
	command = cmp.Or(command, "ssh")
	first, _, _ := strings.Cut(strings.TrimSpace(command), " ")
	first = strings.Trim(first, `"'`)
	switch strings.ToLower(first[strings.LastIndexAny(first, `/\`)+1:]) {
	case "ssh", "ssh.exe":
		return command + " -o BatchMode=yes -o ConnectTimeout=15"
	}
	return command
}

// A reply is what git said, and how it ended.
type reply struct {
	text, said string
	code       int
}

// outward runs git with the user's own configuration. All that it starts ends with it
// when its time is over.
func (r *Repo) outward(ctx context.Context, patience time.Duration, limit int, remote *Remote, dir string, args ...string) (reply, error) {
	began := time.Now()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	defer untilSignal(func() { stop(errSignal) })()
	options, ssh := []string{"--no-pager"}, ""
	if remote != nil {
		ssh = remote.ssh
		options = append(r.toRemote(), "--git-dir="+r.dir)
		if remote.proxy != "" {
			options = append(options, "-c", "http.proxy="+remote.proxy)
		}
	}
	cmd := exec.CommandContext(ctx, r.tree.git, slices.Concat(options, args)...)
	cmd.Dir, cmd.Env = dir, outwardEnvironment(append(os.Environ(), lookup.Outside(os.Getenv, r.root).PATH()), ssh) // of which it starts ssh and helpers
	cmd.WaitDelay = 500 * time.Millisecond
	out, said := limited{max: limit}, limited{max: maxSaid}
	cmd.Stdout, cmd.Stderr = &out, &said
	if remote != nil {
		go r.bound(ctx, stop)
	}
	err := r.tree.finish(ctx, cmd) // with ssh, helpers for credentials, a server where the remote is a folder
	if ctx.Err() != nil {
		if cause := context.Cause(ctx); cause == errFlood || cause == errSignal {
			return reply{}, cause
		}
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return reply{}, &Failure{Away, fmt.Sprintf("it did not answer within %v", time.Since(began).Round(time.Second/10))}
		}
		return reply{}, ctx.Err()
	}
	switch exit := (*exec.ExitError)(nil); {
	case errors.As(err, &exit):
		return reply{out.String(), said.String(), exit.ExitCode()}, nil
	case err != nil && !errors.Is(err, exec.ErrWaitDelay): // a connection that ssh keeps open for the next call
		return reply{}, notRun(err)
	case out.cut:
		return reply{}, tooLong(limit)
	}
	return reply{out.String(), said.String(), 0}, nil
}

var errFlood = fmt.Errorf("the remote has more than %d MiB for a board", maxFetch>>20)

// bound stops a call that fills the disk.
func (r *Repo) bound(ctx context.Context, stop context.CancelCauseFunc) {
	tick := time.NewTicker(time.Second / 4)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if r.unfinished(func(string) bool { return false }) > r.most {
				stop(errFlood)
				return
			}
		}
	}
}

// unfinished returns the size of the packs that are being written, and removes those
// that one is told to.
func (r *Repo) unfinished(remove func(path string) bool) int64 {
	size := int64(0)
	for _, pattern := range []string{"tmp_*", ".tmp-*"} {
		paths, _ := filepath.Glob(filepath.Join(r.dir, "objects", "pack", pattern))
		for _, path := range paths {
			if info, err := os.Lstat(path); err == nil {
				size += info.Size()
				if remove(path) {
					_ = os.Remove(path)
				}
			}
		}
	}
	return size
}

// at is the folder that a relative path of a remote begins at.
func (r *Repo) at() string {
	if isDir(r.root) {
		return r.root
	}
	return r.dir
}

// Fetch gets what a reference of the remote is, with all its history; empty: the
// remote has no such reference. No reference of this repository is moved.
func (r *Repo) Fetch(ctx context.Context, remote Remote, ref string) (string, error) {
	tip, err := r.fetch(ctx, remote, ref)
	if f := (*Failure)(nil); errors.As(err, &f) && f.Kind == otherIDs {
		if err := r.again(ctx); err != nil {
			return "", err
		}
		return r.fetch(ctx, remote, ref)
	}
	return tip, err
}

func (r *Repo) fetch(ctx context.Context, remote Remote, ref string) (string, error) {
	if err := refName(ref); err != nil {
		return "", err
	}
	head := filepath.Join(r.dir, "FETCH_HEAD")
	if err := os.RemoveAll(head); err != nil {
		return "", err
	}
	out, err := r.outward(ctx, netPatience, maxAnswer, &remote, r.at(), "fetch", "--quiet", "--no-tags", "--refmap=", "--no-filter", "--no-recurse-submodules", "--no-auto-maintenance", "--no-prune",
		"--no-show-forced-updates", "--no-progress", "--upload-pack="+cmp.Or(remote.upload, "git-upload-pack"), "--end-of-options", remote.fetch, ref)
	if err == nil && out.code != 0 {
		if strings.Contains(out.said, "couldn't find remote ref "+ref) {
			return "", nil
		}
		err = failed(out.said)
	}
	if err != nil {
		r.Forget()
		r.unfinished(func(string) bool { return true }) // of a fetch that was stopped: no other one is under way
		return "", err
	}
	text, err := os.ReadFile(head)
	if err != nil {
		return "", err
	}
	id, _, _ := bytes.Cut(text, []byte("\t"))
	return string(id), ids(string(id))
}

// Push moves a reference of the remote from old to tip, if it still is at old; empty:
// if there is none. A tip without old in its history is not sent.
func (r *Repo) Push(ctx context.Context, remote Remote, ref, old, tip string) error {
	if err := errors.Join(refName(ref), ids(tip)); err != nil {
		return err
	}
	if old != "" {
		if ok, err := r.IsAncestor(ctx, old, tip); err != nil || !ok {
			return errors.Join(err, fmt.Errorf("the commit %.12s is not built on %.12s", tip, old))
		}
	}
	out, err := r.outward(ctx, netPatience, maxAnswer, &remote, r.at(), "push", "--porcelain", "--quiet", "--no-verify", "--no-signed", "--no-progress", "--no-follow-tags", "--recurse-submodules=no", "--thin",
		"--force-with-lease="+ref+":"+old, "--receive-pack="+cmp.Or(remote.pack, "git-receive-pack"), "--end-of-options", remote.push, tip+":"+ref)
	if err == nil && out.code != 0 {
		err = rejected(out.text, out.said)
	}
	if err != nil && !errors.Is(err, ErrRace) {
		r.Forget()
	}
	return err
}

// Advertised returns the references of a remote that begin with one of some prefixes,
// and their commits.
func (r *Repo) Advertised(ctx context.Context, remote Remote, prefixes ...string) (map[string]string, error) {
	args := []string{"ls-remote", "--quiet", "--refs", "--upload-pack=" + cmp.Or(remote.upload, "git-upload-pack"), "--end-of-options", remote.fetch}
	for _, p := range prefixes {
		args = append(args, p+"*")
	}
	out, err := r.outward(ctx, netPatience, maxAdvertised, &remote, r.at(), args...)
	if err == nil && out.code != 0 {
		err = failed(out.said)
	}
	if err != nil {
		r.Forget()
		return nil, err
	}
	refs := map[string]string{}
	for line := range strings.Lines(out.text) {
		id, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if ok && ids(id) == nil && refName(name) == nil && slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) }) {
			refs[name] = id
		}
	}
	return refs, nil
}
