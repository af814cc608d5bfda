package workload

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

func TestTheLabLeavesRoomOnTwoCores(t *testing.T) {
	var cores float64
	for _, service := range All() {
		cores += service.OfferedCores()
	}
	if cores < 0.5 || cores > 0.9 {
		t.Errorf("all services together offer %.2f cores, want 0.5 to 0.9", cores)
	}
}

func TestServicesAreWellFormed(t *testing.T) {
	cgroupName := regexp.MustCompile(`^[a-z][a-z0-9-]+$`)
	seen := map[string]bool{}
	for _, service := range All() {
		if !cgroupName.MatchString(service.Name) || seen[service.Name] {
			t.Errorf("%q is no unique name for a cgroup", service.Name)
		}
		seen[service.Name] = true
		if service.Lesson == "" || service.Team == "" || service.Owner == "" || len(service.ShardLoads) == 0 {
			t.Errorf("%s lacks a lesson, a team, an owner or shards", service.Name)
		}
		if service.Threads() < 1 || (service.Traffic != nil) != (service.Pool.Threads > 0) {
			t.Errorf("%s: traffic and pool must come together, and somebody must work", service.Name)
		}
		if limit := service.Limit; limit != nil && service.OfferedCores() >
			float64(len(service.ShardLoads))*float64(limit.QuotaUs)/float64(limit.PeriodUs) {
			t.Errorf("%s is offered more than its quota: it would collapse by design", service.Name)
		}
	}
	if len(seen) < 6 {
		t.Errorf("%d services, want at least six", len(seen))
	}
}

func TestSelect(t *testing.T) {
	got, err := Select("auth-tuned,checkout")
	if err != nil || len(got) != 2 || got[0].Name != "checkout" || got[1].Name != "auth-tuned" {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := Select("chekout"); err == nil || !strings.Contains(err.Error(), "checkout") {
		t.Errorf("a wrong name must be answered with the right ones, got %v", err)
	}
}

// TestCatalogKeysAreFieldsOfTheSchema compares with the one home of the fields, schemas/.
func TestCatalogKeysAreFieldsOfTheSchema(t *testing.T) {
	text, err := os.ReadFile("../../../../schemas/service_catalog_entry.avsc")
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Fields []struct{ Name string }
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	fields := map[string]bool{}
	for _, field := range schema.Fields {
		fields[field.Name] = true
	}
	var catalog bytes.Buffer
	if err := WriteCatalog(&catalog, All()); err != nil {
		t.Fatal(err)
	}
	entries := 0
	for _, line := range strings.Split(catalog.String(), "\n") {
		if strings.HasPrefix(line, "  - ") {
			entries++
		}
		key, _, isEntry := strings.Cut(strings.TrimLeft(line, " -"), ": ")
		if isEntry && strings.HasPrefix(line, "  ") && !fields[key] {
			t.Errorf("key %q is not a field of ServiceCatalogEntry", key)
		}
	}
	if entries != len(All()) {
		t.Errorf("%d entries for %d services", entries, len(All()))
	}
}
