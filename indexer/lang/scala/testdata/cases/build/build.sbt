// A build file: values with modifiers, and settings that are expressions.
import Dependencies._

ThisBuild / scalaVersion := "3.3.1"
name := "shop"

val catsVersion = "2.10.0"

lazy val root = (project in file("."))
  .aggregate(core, web)
  .settings(publish / skip := true)

lazy val core = project
  .in(file("core"))
  .settings(
    libraryDependencies ++= Seq(
      "org.typelevel" %% "cats-core" % catsVersion
    )
  )

def module(path: String) = Project(path, file(path))

addCommandAlias("ci", "; scalafmtCheckAll; test")
