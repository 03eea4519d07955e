"""Plain values and arithmetic: configs, records, statistics, images. No torch, no Qt, no processes."""
