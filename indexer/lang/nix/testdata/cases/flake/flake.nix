# The flake of the store.
{
  description = "A key-value store";

  inputs = {
    nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";
    utils = {
      url = "github:numtide/flake-utils";
      inputs.nixpkgs.follows = "nixpkgs";
    };
  };
  inputs.old = { url = "github:a/old"; flake = false; };

  outputs = { self, nixpkgs, utils, ... }@inputs:
    let
      systems = [ "x86_64-linux" ];
      forAllSystems = f: nixpkgs.lib.genAttrs systems (system: f { inherit system; });
    in
    {
      # expected: what can be built and run as targets, without the system
      packages.x86_64-linux.default = nixpkgs.hello;
      devShells = forAllSystems ({ pkgs, system }: {
        # The shell to work in.
        default = pkgs.mkShell {
          buildInputs = [ pkgs.go ];
        };
        docs = pkgs.mkShell { };
      });
      checks."aarch64-linux" = { unit = import ./tests/unit.nix; };
      apps.${system}.store = { type = "app"; program = "${self}/bin/store"; };
      overlays.default = final: prev: { store = final.callPackage ./nix/store.nix { }; };
      nixosModules.store = import ./module.nix;
      nixosConfigurations.box = nixpkgs.lib.nixosSystem { modules = [ ./box.nix ../common ]; };
      packages.aarch64-linux = { inherit (self.other) one two; };
    } // utils.lib.eachDefaultSystem (system: {
      formatter = nixpkgs.legacyPackages.${system}.nixfmt;
    });
}
