# Values of production.

region = "eu-west-1"
# Where it listens.
listener "tcp" {
  address = "0.0.0.0"
  tls { cert = "x" }
}
subnets = {
  a = { cidr = "10.0.1.0/24" }
}
"quoted key" = 1
Größe = "ü"
