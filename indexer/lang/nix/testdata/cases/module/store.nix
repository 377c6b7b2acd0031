{ config, lib, pkgs, ... }:

with lib;

let
  cfg = config.services.store;
  # Renders the settings.
  toConf = { sep ? "=", ... }@args: attrs: concatStrings (mapAttrsToList (n: v: "${n}${sep}${v}\n") attrs);
in
{
  imports = [ ./base.nix (import ../lib.nix { inherit lib; }) <nixpkgs/nixos> ];
  meta.maintainers = [ "a" ];

  # expected: options are named by their whole path
  options.services.store = {
    enable = mkEnableOption "the key-value store";
    package = lib.mkPackageOption pkgs "store" { };
    port = mkOption {
      type = types.port;
      default = 8080;
      description = ''
        Port to listen on. Never below 1024.
      '';
    };
    users = mkOption {
      type = types.attrsOf (types.submodule {
        options = {
          name = mkOption { type = types.str; };
        };
      });
      default = { };
      description = lib.mdDoc "Who may use it.";
    };
    nested.deep.flag = mkOption { type = types.bool; };
  };
  options = {
    services.other.enable = mkEnableOption "another \"one\"";
  };

  config = mkIf cfg.enable (mkMerge [
    {
      systemd.services.store = {
        script = ''
          fake = ${pkgs.bash}/bin/x; ''${not}
          ''' done
        '';
      };
    }
    (mkIf (cfg.port == 80) { networking.firewall.enable = false; })
  ]);
}
