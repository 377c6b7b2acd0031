# SPDX-License-Identifier: MIT

##@ Development
generate: tools ## Generate code.
	go generate ./...
