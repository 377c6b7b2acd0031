# expected: what is left open ends at the next block of the file
resource "a_b" "open_brace" {
  x = [1, 2
  y = "open ${var.a
resource "a_b" "two" {
  z = <<EOT
no end
}
variable "über" { default = "日本" }
locals {
  a = {
output "three" {
  value = "unclosed
}
}}}]]
resource "only_one" {
}
resource {
}
= 3
"" = 4
/* open comment
module "last" {
  source = "./x"
