include "root" {
  path = find_in_parent_folders()
}
terraform {
  source = "../modules//vpc"
}
dependency "net" {
  config_path = "../net"
}
# expected: references to dependencies
inputs = {
  id = dependency.net.outputs.id
}
