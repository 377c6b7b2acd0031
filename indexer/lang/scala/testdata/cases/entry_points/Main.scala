package run

// Four ways to start a program; `run.main` of the class is none.
@main def hello(name: String, times: Int*): Unit = println(name)

object Cli extends App { println("hi") }

object Old {
  def main(args: Array[String]): Unit = Cli
}

object Effect extends IOApp.Simple { def run = IO.unit }

class NotOne { def main(args: Array[String]): Unit = () }
