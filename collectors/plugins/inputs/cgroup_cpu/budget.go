package cgroup_cpu

import (
	"fmt"
	"math"
	"strconv"

	"github.com/quotascope/quotascope/collectors/internal/protection"
)

// Percent is a number that may be written with or without a fraction, which TOML tells apart.
type Percent float64

// UnmarshalTOML reads the number as it is written.
func (p *Percent) UnmarshalTOML(text []byte) error {
	value, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return fmt.Errorf("%s is not a number", text)
	}
	*p = Percent(value)
	return nil
}

// setBudget turns the options into a budget. What they bound is the whole cost of the agent.
func (c *CgroupCPU) setBudget() error {
	if c.BudgetCPUPercent != 0 && !(c.BudgetCPUPercent >= 0.1 && c.BudgetCPUPercent <= 10_000) {
		return fmt.Errorf("budget_cpu_percent must be 0 for none, or from 0.1 to 10000 percent of one CPU, not %g", float64(c.BudgetCPUPercent))
	}
	if c.BudgetMemory != 0 && c.BudgetMemory < 1<<20 {
		return fmt.Errorf("budget_memory must be 0 for none, or at least 1MiB, not %d bytes", int64(c.BudgetMemory))
	}
	c.budget = protection.Budget{CPUMillis: int64(math.Round(float64(c.BudgetCPUPercent) * 10)), MemoryBytes: int64(c.BudgetMemory)}
	return nil
}
