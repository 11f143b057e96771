// Package metrics counts and measures what a service does, for its operator: [Metrics]
// are its counters, [Metrics.Timed] measures the transactions of its store.
package metrics
