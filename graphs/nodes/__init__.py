"""The nodes of the graph: plain functions `State, Runtime[Context] → Update`."""
