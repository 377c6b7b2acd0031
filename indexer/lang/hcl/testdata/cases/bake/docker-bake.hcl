// expected: targets and groups as targets, functions, variables used by bare names
variable "TAG" { default = "dev" }
function "tagged" {
  params = [name, suffix]
  result = "${name}:${TAG}${suffix}"
}
group "default" {
  targets = ["app", "docs"]
}
target "_common" {
  args = { V = TAG }
}
# Builds the program.
target "app" {
  inherits   = ["_common"]
  dockerfile = "build/app.Dockerfile"
  contexts   = { base = "target:docs" }
  tags       = [tagged("app", "")]
}
target "docs" {
  description = "Builds the manual."
  output = ["type=local,dest=${target.app.name}"]
}
