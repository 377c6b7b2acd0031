packer {
  required_plugins {
    amazon = {
      version = ">= 1.2"
      source  = "github.com/hashicorp/amazon"
    }
  }
}
local "stamp" { expression = "x" }
source "amazon-ebs" "base" {
  ami_name = "base-${local.stamp}"
}
# expected: a build is a target, named by its name or else "build"
build {
  name    = "golden"
  sources = ["source.amazon-ebs.base"]
  provisioner "shell" {
    scripts = ["scripts/setup.sh", "./scripts/clean.sh"]
  }
}
build {
  sources = [source.amazon-ebs.base]
}
