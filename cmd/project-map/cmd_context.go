package main

import "github.com/urfave/cli/v2"

func contextCommand() *cli.Command { return &cli.Command{Name: "context"} }
