package workload

import (
	"fmt"
	"io"
)

// WriteCatalog writes the services as service catalog entries in YAML. The keys are the fields of
// ServiceCatalogEntry; a field that is left out is null, which means what its schema says.
func WriteCatalog(out io.Writer, services []Service) error {
	if _, err := fmt.Fprintln(out, "# Service catalog of the lab, written by `cfslab catalog`.\nentries:"); err != nil {
		return err
	}
	for _, service := range services {
		if err := writeEntry(out, service); err != nil {
			return err
		}
	}
	return nil
}

func writeEntry(out io.Writer, service Service) error {
	lines := []string{
		"  - cluster: " + Cluster,
		"    service: " + service.Name,
		"    catalog_version: 1",
		"    team: " + service.Team,
		"    owner: " + service.Owner,
	}
	// A service without a quota has no reserved cores either: nothing was promised to it.
	if service.Limit != nil {
		lines = append(lines, fmt.Sprintf("    reserved_millicores: %d", service.Limit.Millicores()))
	}
	if traffic := service.Traffic; traffic != nil {
		lines = append(lines,
			fmt.Sprintf("    timeout_us: %d", traffic.TimeoutUs),
			fmt.Sprintf("    retries: %d", traffic.Retries),
			fmt.Sprintf("    slo_us: %d", traffic.SloUs))
	}
	lines = append(lines, fmt.Sprintf("    minimum_shards: %d", len(service.ShardLoads)))
	for _, line := range lines {
		if _, err := fmt.Fprintln(out, line); err != nil {
			return err
		}
	}
	return nil
}
