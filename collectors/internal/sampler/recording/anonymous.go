package recording

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"reflect"
	"slices"
	"strings"

	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

// openText are the texts of a cgroup that say nothing about whose it is. Every other text is a name, so that one that is
// added later is hidden until somebody looks at it.
var openText = map[string]bool{"runtime": true, "qos_class": true, "cpuset": true}

// pseudonyms replaces names by keyed hashes. The key lives in memory only, so that nobody can try names against a recording.
type pseudonyms struct {
	key [32]byte
}

func newPseudonyms() *pseudonyms {
	p := &pseudonyms{}
	_, _ = rand.Read(p.key[:]) // crypto/rand.Read never fails: it ends the program instead
	return p
}

func (p *pseudonyms) of(name string) string {
	if name == "" {
		return ""
	}
	hash := hmac.New(sha256.New, p.key[:])
	hash.Write([]byte(name))
	return "x" + hex.EncodeToString(hash.Sum(nil)[:6])
}

// path keeps the depth of a path, so that ancestors can still be told.
func (p *pseudonyms) path(path string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		segments[i] = p.of(segment)
	}
	return strings.Join(segments, "/")
}

func (p *pseudonyms) agent(agent sampler.Agent) sampler.Agent {
	agent.HostID, agent.Cluster = p.of(agent.HostID), p.of(agent.Cluster)
	return agent
}

func (p *pseudonyms) found(found sampler.Found) sampler.Found {
	hidden := reflect.New(reflect.TypeOf(found)).Elem()
	hidden.Set(reflect.ValueOf(found))
	p.hide(hidden)
	return hidden.Interface().(sampler.Found)
}

func (p *pseudonyms) limits(limits usagewindow.Limits) usagewindow.Limits {
	limits.AncestorPath = p.path(limits.AncestorPath)
	return limits
}

func (p *pseudonyms) threads(threads []usagewindow.ExcursionThread) []usagewindow.ExcursionThread {
	hidden := slices.Clone(threads) // which keeps nil: not measured is not the same as none
	for i := range hidden {
		hidden[i].Comm = p.of(hidden[i].Comm)
	}
	return hidden
}

// hide replaces the texts of a struct in place. What a pointer or a map holds is replaced by a copy: it belongs to others.
func (p *pseudonyms) hide(value reflect.Value) {
	for i := range value.NumField() {
		field, name := value.Field(i), nameOf(value.Type().Field(i).Name)
		switch {
		case openText[name]:
		case field.Kind() == reflect.Struct:
			p.hide(field)
		case field.Kind() == reflect.String && strings.HasSuffix(name, "path"):
			field.SetString(p.path(field.String()))
		case field.Kind() == reflect.String:
			field.SetString(p.of(field.String()))
		case field.Kind() == reflect.Pointer && !field.IsNil() && field.Elem().Kind() == reflect.String:
			hidden := p.of(field.Elem().String())
			field.Set(reflect.ValueOf(&hidden))
		case field.Kind() == reflect.Map:
			p.hideEntries(field)
		}
	}
}

func (p *pseudonyms) hideEntries(field reflect.Value) {
	if field.IsNil() {
		return
	}
	hidden := reflect.MakeMapWithSize(field.Type(), field.Len())
	for _, key := range field.MapKeys() {
		hidden.SetMapIndex(reflect.ValueOf(p.of(key.String())), reflect.ValueOf(p.of(field.MapIndex(key).String())))
	}
	field.Set(hidden)
}
