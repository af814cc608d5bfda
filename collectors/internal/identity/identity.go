// Package identity tells from a cgroup's path which shard of which service it is.
//
// It sees paths only: no container engine and no Kubernetes interface is asked. Where a path holds
// ids but no names, the service is named after the id until somebody knows the names (see Call).
package identity

import (
	"errors"
	"fmt"
	"hash/fnv"
	"regexp"
	"strconv"
	"strings"
)

// ErrPattern is returned for a path pattern or built-in name that cannot be used.
var ErrPattern = errors.New("unusable path rule")

// Shard is what a path says about a cgroup.
type Shard struct {
	Service string
	// Name is unique within the service and cluster. See HostScoped.
	Name    string
	Runtime string
	// HostScoped is set when Name is unique on one host only, as a systemd unit's name is.
	HostScoped bool
	// ContainerID, PodUID and QosClass are empty when the path does not state them.
	ContainerID string
	PodUID      string
	QosClass    string
	// Labels are those of the container that the owner of the host allows; nil without any.
	Labels map[string]string
}

// Rule recognises one form of path.
type Rule struct {
	runtime string
	pattern *regexp.Regexp
	// name completes a shard; it reports false for a cgroup that is none although it looks like one.
	name func(shard *Shard) bool
}

// Rules are tried in order; the first that matches decides.
type Rules []Rule

// Match returns the shard that a path below the mount point stands for, or false for a cgroup that
// is nobody's shard.
func (rules Rules) Match(path string) (Shard, bool) {
	for _, rule := range rules {
		groups := rule.pattern.FindStringSubmatch(path)
		if groups == nil {
			continue
		}
		shard := Shard{Runtime: rule.runtime}
		for i, group := range rule.pattern.SubexpNames() {
			switch group {
			case "service":
				shard.Service = groups[i]
			case "shard":
				shard.Name = groups[i]
			case "container_id":
				shard.ContainerID = groups[i]
			case "pod_uid":
				shard.PodUID = strings.ReplaceAll(groups[i], "_", "-")
			case "qos_class":
				shard.QosClass = groups[i]
			}
		}
		if rule.name != nil && !rule.name(&shard) {
			return Shard{}, false
		}
		return shard, true
	}
	return Shard{}, false
}

// NewRule makes a rule of a pattern such as /quotascope/lab/{service}/{shard}. A capture stands for
// a non-empty part of one path segment; a star for any part of one. {service} and {shard} are
// required; {container_id}, {pod_uid} and {qos_class} are optional. The whole path must match.
func NewRule(pattern, runtime string) (Rule, error) {
	if !strings.HasPrefix(pattern, "/") {
		return Rule{}, fmt.Errorf("%w: %q must begin with /", ErrPattern, pattern)
	}
	seen := map[string]bool{}
	var expression strings.Builder
	expression.WriteString("^")
	for rest := pattern; rest != ""; {
		literal := rest
		if at := strings.IndexAny(rest, "{*"); at >= 0 {
			literal = rest[:at]
		}
		expression.WriteString(regexp.QuoteMeta(literal))
		rest = rest[len(literal):]
		if rest == "" {
			break
		}
		if rest[0] == '*' {
			expression.WriteString("[^/]*")
			rest = rest[1:]
			continue
		}
		name, after, closed := strings.Cut(rest[1:], "}")
		switch name {
		case "service", "shard", "container_id", "pod_uid", "qos_class":
		default:
			return Rule{}, fmt.Errorf("%w: %q has an unknown capture {%s}", ErrPattern, pattern, name)
		}
		if !closed || seen[name] {
			return Rule{}, fmt.Errorf("%w: %q has an open or repeated {%s", ErrPattern, pattern, name)
		}
		seen[name] = true
		fmt.Fprintf(&expression, "(?P<%s>[^/]+)", name)
		rest = after
	}
	if !seen["service"] || !seen["shard"] {
		return Rule{}, fmt.Errorf("%w: %q needs {service} and {shard}", ErrPattern, pattern)
	}
	expression.WriteString("$")
	compiled, err := regexp.Compile(expression.String())
	if err != nil {
		return Rule{}, fmt.Errorf("%w: %q: %w", ErrPattern, pattern, err)
	}
	return Rule{runtime: runtime, pattern: compiled}, nil
}

// ShardID is the FNV-1a 64 hash of host id, path and inode number in decimal, separated by zero
// bytes, as a signed number. The inode tells two cgroups apart that had the same path in turn.
func ShardID(hostID, path string, inode uint64) int64 {
	hash := fnv.New64a()
	hash.Write([]byte(hostID))
	hash.Write([]byte{0})
	hash.Write([]byte(path))
	hash.Write([]byte{0})
	hash.Write(strconv.AppendUint(nil, inode, 10))
	return int64(hash.Sum64())
}
