#!/usr/bin/swift
// Expected: statements at the level of the file make it an entry point; names
// at that level are definitions.
import Foundation

let arguments = CommandLine.arguments
func help() { print("usage") }
if arguments.count < 2 {
    help()
    exit(1)
}
for argument in arguments.dropFirst() { print(argument) }
