{ lib, stdenv, fetchurl, withGui ? false, extra ? { a = 1; } }:

stdenv.mkDerivation rec {
  pname = "store";
  version = "1.2";
  # expected: arguments with defaults are variables; the source is no definition
  src = fetchurl {
    url = "https://example.com/${pname}-${version}.tar.gz";
    hash = "sha256-x";
  };
  patches = [ ./fix.patch ];
  postInstall = ''
    echo ${if withGui then "gui" else "none"}
  '';
  passthru.tests = { smoke = ./smoke.nix; };
  meta = with lib; {
    description = "Keeps keys and values";
    license = licenses.mit;
  };
}
