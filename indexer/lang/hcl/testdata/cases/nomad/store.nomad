# Runs the store. expected: job, group and task are nested targets
job "store" {
  datacenters = ["dc1"]
  group "api" {
    task "server" {
      driver = "docker"
      template {
        data = <<EOF
task "fake" {
EOF
      }
    }
    service { name = "store" }
  }
}
