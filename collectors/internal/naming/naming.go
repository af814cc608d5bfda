// Package naming finds out what a container is called: from files that the kubelet and container engines
// keep on the host, and from the runtime's own interface where it is configured. Nothing is written, and
// no cluster is asked.
package naming

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/quotascope/quotascope/collectors/internal/identity"
)

// Verdict is what is known about the name of a shard.
type Verdict int

// Verdicts.
const (
	// Unknown: nobody here knows; the shard keeps the name that its path gives it.
	Unknown Verdict = iota
	// Named: the shard was named.
	Named
	// Later: the name may be written down in a moment.
	Later
	// Sandbox: the cgroup belongs to the pause process of a pod and is no shard.
	Sandbox
)

// Logger is the part of Telegraf's logger that is used here.
type Logger interface {
	Warnf(format string, args ...any)
}

// SourceNames lists the sources in the order in which they are asked.
func SourceNames() []string { return []string{"kubelet", "oci", "docker", "podman"} }

// Options says where to look.
type Options struct {
	Sources []string
	// HostRoot is where the host's files are seen: / or a mount of it in a container.
	HostRoot string
	// CRISocket is the unix socket of the runtime's interface; empty: it is not asked.
	CRISocket string
	// Node is the Kubernetes node's name; empty: the host name.
	Node string
	// Labels are the keys that may be reported, each with at most MaxLabelValues different values.
	Labels         []string
	MaxLabelValues int
	Log            Logger
}

// errNotYet is returned by a source that may know the container in a moment.
var errNotYet = errors.New("not written down yet")

// described is what one source says about a container.
type described struct {
	identity.Names
	sandbox bool
}

// source knows some containers.
type source interface {
	// describe returns what is known of a shard's container. It returns errNotYet for one that it may
	// know later, fs.ErrNotExist for one that is none of its own. final asks for what can be concluded
	// now that waiting is over.
	describe(shard *identity.Shard, path string, final bool) (described, error)
}

// Names finds names. It belongs to one goroutine, except for Overflow.
type Names struct {
	options Options
	sources []source
	labels  *labels
	warned  map[string]bool
}

// New returns a finder of names, or an error that names a source that does not exist.
func New(options Options) (*Names, error) {
	if options.HostRoot == "" {
		options.HostRoot = "/"
	}
	if options.Node == "" {
		options.Node, _ = os.Hostname() // only static pods need it, and they show without
	}
	n := &Names{options: options, labels: newLabels(options.Labels, options.MaxLabelValues), warned: map[string]bool{}}
	if options.CRISocket != "" {
		n.sources = append(n.sources, newCRI(options.CRISocket))
	}
	for _, name := range options.Sources {
		switch name {
		case "kubelet":
			n.sources = append(n.sources, newKubelet(options.HostRoot))
		case "oci":
			n.sources = append(n.sources, oci{root: options.HostRoot})
		case "docker":
			n.sources = append(n.sources, docker{root: options.HostRoot})
		case "podman":
			n.sources = append(n.sources, newPodman(options.HostRoot))
		default:
			return nil, fmt.Errorf("no source of names is called %q, only %s", name, strings.Join(SourceNames(), ", "))
		}
	}
	return n, nil
}

// Name names a shard whose cgroup is at path. final is set when there is no more time to wait.
func (n *Names) Name(shard *identity.Shard, path string, final bool) Verdict {
	if shard.ContainerID == "" {
		return Unknown
	}
	var known identity.Names
	later := false
	for _, from := range n.sources {
		said, err := from.describe(shard, path, final)
		if err != nil {
			later = later || errors.Is(err, errNotYet)
			n.warn(err)
			continue
		}
		if said.sandbox {
			return Sandbox
		}
		known = merge(known, said.Names)
	}
	named := identity.Call(shard, cleaned(known), n.options.Node)
	if !named && later && !final {
		return Later
	}
	shard.Labels = n.labels.allowed(known.Labels)
	if named {
		return Named
	}
	return Unknown
}

// LabelOverflow returns how many labels were left out because of too many values.
func (n *Names) LabelOverflow() int64 { return n.labels.overflow.Load() }

// warn says once what keeps a source from answering, because its right could be granted.
func (n *Names) warn(err error) {
	var refused *os.PathError
	place := ""
	switch {
	case n.options.Log == nil:
		return
	case errors.Is(err, errCRI):
		place = n.options.CRISocket
	case errors.Is(err, os.ErrPermission) && errors.As(err, &refused):
		place = filepath.Dir(filepath.Dir(refused.Path))
	default:
		return
	}
	if !n.warned[place] {
		n.warned[place] = true
		n.options.Log.Warnf("containers cannot be named from %s: %v; services are named after ids unless another source knows", place, err)
	}
}

// merge completes what one source said by what another one says.
func merge(a, b identity.Names) identity.Names {
	for _, text := range []struct{ to, from *string }{
		{&a.Namespace, &b.Namespace}, {&a.Pod, &b.Pod}, {&a.Container, &b.Container}, {&a.Given, &b.Given},
	} {
		if *text.to == "" {
			*text.to = *text.from
		}
	}
	if a.Labels == nil {
		a.Labels = map[string]string{}
	}
	for key, value := range b.Labels {
		if _, said := a.Labels[key]; !said {
			a.Labels[key] = value
		}
	}
	return a
}

// longestName bounds what others wrote down before it becomes part of a record.
const longestName = 200

func cleaned(names identity.Names) identity.Names {
	names.Namespace, names.Pod = clean(names.Namespace), clean(names.Pod)
	names.Container, names.Given = clean(names.Container), clean(names.Given)
	for key, value := range names.Labels {
		names.Labels[key] = clean(value)
	}
	return names
}

// clean makes text of others fit for a record: valid UTF-8, printable, and not too long.
func clean(text string) string {
	text = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, text)
	for len(text) > longestName {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return text
}
