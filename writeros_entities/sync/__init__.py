"""From changed files to changed rows: plan, stages, apply, watch."""
