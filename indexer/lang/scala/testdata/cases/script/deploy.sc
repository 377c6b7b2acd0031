#!/usr/bin/env -S scala-cli shebang
//> using scala 3.3
//> using dep com.lihaoyi::os-lib:0.9.1

// A script: definitions and statements on the level of the file.
import $ivy.`com.lihaoyi::upickle:3.0.0`
import os.*

val target = os.pwd / "out"
def deploy(to: Path): Unit =
  os.copy(target, to)

deploy(target / "x")
