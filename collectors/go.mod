module github.com/quotascope/quotascope/collectors

go 1.26.0

require (
	github.com/influxdata/telegraf v1.37.2 // indirect
	github.com/stretchr/testify v1.12.1 // indirect
	golang.org/x/sys v0.49.0 // indirect
	pgregory.net/rapid v1.3.0 // indirect
)
