# The network of the store.

terraform {
  required_version = ">= 1.5"
  required_providers {
    aws    = { source = "hashicorp/aws", version = "~> 5.0" }
    random = "~> 3.0"
    tls = {
      source = "hashicorp/tls"
    }
  }
  backend "s3" {
    bucket = "state"
  }
}

provider "aws" {
  alias  = "east"
  region = var.region
}

# Comment above, which the description goes before.
variable "region" {
  description = "Region of everything. Not the time zone."
  type        = string
  default     = "eu-west-1"
}

variable "subnets" {
  type = map(object({
    cidr = string
    az   = optional(string, "a")
  }))
}

locals {
  # Name of everything.
  name = "store-${var.region}"
  tags = { for k, v in var.subnets : k => v.cidr if length("${k}") > 0 }
}

/*
 * The private network.
 */
resource "aws_vpc" "this" {
  cidr_block = "10.0.0.0/16" // expected: nothing inside becomes a definition
  tags       = merge(local.tags, { Name = "${local.name}-${upper("x}")}" })
  lifecycle {
    ignore_changes = [tags]
  }
}

resource "aws_subnet" "private" {
  for_each = var.subnets
  vpc_id   = aws_vpc.this.id
  policy   = <<-EOT
    resource "fake" "one" {
    Allow ${data.aws_caller_identity.current.account_id} "
  EOT
  provider = aws.east
  dynamic "ingress_rule" {
    for_each = each.value
    content { port = ingress_rule.value }
  }
}

data "aws_caller_identity" "current" {}

module "db" {
  source = "./modules/db"
  vpc    = module.net["a"].id
}
module "net" {
  source  = "terraform-aws-modules/vpc/aws"
  version = "5.0"
}

output "vpc_id" {
  description = "Id of the network."
  value       = one(aws_vpc.this[*].id)
}

moved {
  from = aws_vpc.old
  to   = aws_vpc.this
}

# expected: the same name again is kept
resource "aws_vpc" "this" { count = 0 }

check "health" {
  data "http" "x" {}
}
