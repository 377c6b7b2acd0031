# expected: runs are targets
variables {
  name = "x"
}
run "creates_vpc" {
  command = plan
  module { source = "./setup" }
  assert {
    condition = aws_vpc.this.id != "" && run.setup.id != ""
  }
}
run "setup" {}
