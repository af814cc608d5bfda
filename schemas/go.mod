module github.com/quotascope/quotascope/schemas

go 1.26
