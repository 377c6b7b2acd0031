package hierarchy_test

import "testing"

// Every ecosystem that has a resolver, by what its language says of overriding.
func TestRelationsOfLanguages(t *testing.T) {
	check(t, []relationCase{
		{"C#: parts of a class, interfaces for those who know them, hiding", `
-- a/A.csproj --
<Project Sdk="Microsoft.NET.Sdk" />
-- a/IStore.cs --
namespace Shop;
public interface IReader { string Read(string key); }
public interface IStore : IReader { void Save(string key, int x); int Count { get; } }
-- a/Base.cs --
namespace Shop;
public abstract partial class Base { public abstract void Open(); public void Plain() { } private void Own() { } public static void Make() { } }
-- a/Base.More.cs --
namespace Shop;
public abstract partial class Base : IReader { protected virtual void Close() { } public abstract string Read(string key); }
-- a/Disk.One.cs --
namespace Shop;
public partial class Disk : Base, IStore { public override string Read(string key) => ""; public int Count => 1; private void Own() { } public static void Make() { } }
-- a/Disk.Two.cs --
namespace Shop;
public partial class Disk { public override void Open() { } public void Save(string key) { } protected override void Close() { } public new void Plain() { } }
-- a/Net.cs --
namespace Shop
{
    public class Generic<T> { public virtual T Get(T x) => x; public virtual T Get(string x) => default; }
    public class Net : Generic<int>, IStore { void IStore.Save(string key, int x) { } string IReader.Read(string key) => ""; public int Count { get; } public override int Get(int x) => 1; }
    public record Rec(int A) : IReader { public string Read(string key) => ""; }
    public struct Val : IReader { public string Read(string key) => ""; }
}
-- b/B.csproj --
<Project Sdk="Microsoft.NET.Sdk" />
-- b/Disk.cs --
namespace Shop;
public partial class Disk { public void Save(string key, int x) { } }
`, `Base > IReader exact
Base.Read > IReader.Read exact
Disk > Base exact
Disk > Base exact
Disk > IStore exact
Disk.Close > Base.Close exact
Disk.Count > IStore.Count exact
Disk.Open > Base.Open exact
Disk.Read > Base.Read exact
Disk.Read > IReader.Read exact
IStore > IReader exact
Net > Generic exact
Net > IStore exact
Net.Count > IStore.Count exact
Net.Get > Generic.Get exact
Net.Read > IReader.Read exact
Net.Save > IStore.Save exact
Rec > IReader exact
Rec.Read > IReader.Read exact
Val > IReader exact
Val.Read > IReader.Read exact`},
		{"Rust: impl blocks, of types in other files and from outside, without items", `
-- Cargo.toml --
[package]
name = "shop"
-- src/lib.rs --
pub mod store;
pub mod disk;
pub mod disk_impl;
-- src/store.rs --
pub trait Reader { fn read(&self, key: &str) -> String; fn size(&self) -> usize { 0 } const MAX: usize; type Item; }
pub trait Store: Reader { fn save(&mut self, key: &str); fn make() -> Self; }
pub trait Marker {}
pub trait Into2<T> { fn into2(self) -> T; }
-- src/disk.rs --
pub struct Disk { pub n: usize }
impl Disk { pub fn open(&self) {} pub fn size(&self) -> usize { 1 } }
pub enum Kind { A }
impl crate::store::Reader for Kind { const MAX: usize = 1; type Item = u8; fn read(&self, key: &str) -> String { fn read() {} String::new() } fn size(&self) -> usize { 2 } }
impl std::fmt::Display for Kind { fn fmt(&self) {} }
impl<T> crate::store::Reader for Vec<T> { fn size(&self) -> usize { 3 } }
-- src/disk_impl.rs --
use crate::disk::{Disk, Kind};
use crate::store::{Into2, Marker, Reader, Store};
impl Marker for Kind {}
impl Reader for Disk { const MAX: usize = 3; type Item = u8; fn read(&self, key: &str) -> String { String::new() } }
mod inner {
    use super::*;
    impl Store for Disk { fn save(&mut self, key: &str) {} fn make() -> Self { Disk { n: 1 } } }
}
struct Wrap<T>(T);
impl<T: Reader> Reader for Wrap<T> { fn read(&self, key: &str) -> String { self.0.read(key) } }
impl<T: Reader, F: Fn(T) -> Disk> Into2<Disk> for Wrap<F> { fn into2(self) -> Disk { Disk { n: 1 } } }
impl<T> Marker for Vec<T> {}
`, `Disk > Reader exact
Disk > Store exact
Disk.Item > Reader.Item exact
Disk.MAX > Reader.MAX exact
Disk.make > Store.make exact
Disk.read > Reader.read exact
Disk.save > Store.save exact
Kind > Marker exact
Kind > Reader exact
Kind.Item > Reader.Item exact
Kind.MAX > Reader.MAX exact
Kind.read > Reader.read exact
Kind.size > Reader.size exact
Store > Reader exact
Vec.size > Reader.size exact
Wrap > Into2 exact
Wrap > Reader exact
Wrap.into2 > Into2.into2 exact
Wrap.read > Reader.read exact`},
		{"C++: virtual functions, defined elsewhere", `
-- shape.h --
#pragma once
namespace geo {
class Shape {
public:
  virtual ~Shape() {}
  virtual double area() const = 0;
  virtual double area();
  virtual void scale(double f);
  virtual void scale(double f, int n);
  int plain();
private:
  virtual void hook();
};
template <class T> class Box { public: virtual T get(T x); };
template <class T> T Box<T>::get(T x) { return x; }
}
-- circle.h --
#include "shape.h"
namespace geo {
class Circle : public virtual Shape, private Box<int> {
public:
  double area() const override;
  void scale(double f) override;
  int get(int x) override { return 1; }
  int plain();
private:
  void hook() override;
};
struct Disc final : geo::Circle { double area() const { return 2; } };
}
-- circle.cpp --
#include "circle.h"
namespace geo {
double Circle::area() const { return 1; }
void Circle::hook() {}
}
void geo::Circle::scale(double f) {}
-- other/circle.cpp --
class Circle { void scale(double f); };
void Circle::scale(double f) {}
-- shape.cpp --
#include "shape.h"
void geo::Shape::scale(double f) {}
int geo::Shape::plain() { return 1; }
`, `circle.cpp Circle.area > shape.h Shape.area exact
circle.cpp Circle.hook > shape.h Shape.hook exact
circle.cpp Circle.scale > shape.cpp Shape.scale exact
circle.h Circle.get > shape.h Box.get exact
circle.h Disc.area > circle.cpp Circle.area exact
geo.Circle > geo.Box exact
geo.Circle > geo.Shape exact
geo.Disc > geo.Circle exact`},
		{"PHP: interfaces, abstract classes, traits, enums", `
-- composer.json --
{"autoload": {"psr-4": {"Shop\\": "src/"}}}
-- src/Reader.php --
<?php
namespace Shop;
interface Reader { public function read(string $key): string; }
interface Store extends Reader { public function save(string $key, int $x): void; }
-- src/Base.php --
<?php
namespace Shop;
abstract class Base { abstract public function open(): void; private function own() {} public static function make() {} }
-- src/Logs.php --
<?php
namespace Shop;
trait Logs { public function log($x) {} abstract public function name(); }
-- src/Disk.php --
<?php
namespace Shop\Disks;
use Shop\Base;
use Shop\Logs;
use Shop\Store as KV;
class Disk extends Base implements KV {
  use Logs;
  public function open(): void {}
  public function read(string $key): string { return ''; }
  public function save(string $key, int $x, $more = 1): void {}
  public function name() {}
  private function own() {}
  public static function make() {}
}
enum Suit: string implements \Shop\Reader { case A = 'a'; public function read(string $key): string { return ''; } }
`, `Disk > Base exact
Disk > Logs exact
Disk > Store exact
Disk.make > Base.make exact
Disk.name > Logs.name exact
Disk.open > Base.open exact
Disk.read > Reader.read exact
Disk.save > Store.save exact
Store > Reader exact
Suit > Reader exact
Suit.read > Reader.read exact`},
		{"Ruby: include, extend, prepend, classes opened again, private methods", `
-- lib/base.rb --
module Shop
  module Logs
    def log(x); end
    def name; end
    def self.setup; end
  end
  module Makes
    def make; end
  end
  module Fixes
    def save(x); end
  end
  class Base
    def open; end
    def save(x); end
    def self.build; end
    private
    def own; end
  end
end
-- lib/base_more.rb --
module Shop
  class Base
    def late; end
  end
end
-- lib/disk.rb --
require_relative 'base'
module Shop
  class Disk < Base
    include Logs
    extend Makes
    prepend Fixes
    def open(extra = 1); end
    def save(x); end
    def self.build; end
    def self.make; end
    def self.setup; end
    def make; end
    private
    def own; end
  end
  class Deep < Shop::Disk
    def log(x); end
  end
end
-- lib/disk_more.rb --
class Shop::Disk
  def name; end
  def late; end
end
`, `Deep.log > Logs.log exact
Disk.build > Base.build exact
Disk.late > Base.late exact
Disk.make > Makes.make exact
Disk.name > Logs.name exact
Disk.open > Base.open exact
Disk.own > Base.own exact
Disk.save > Base.save exact
Fixes.save > Disk.save exact
Shop.Deep > Shop.Disk exact
Shop.Disk > Shop.Base exact
Shop.Disk > Shop.Fixes exact
Shop.Disk > Shop.Logs exact
Shop.Disk > Shop.Makes exact`},
		{"Kotlin: what says override, objects, delegation", `
-- a/Store.kt --
package a
interface Reader { fun read(key: String): String; val size: Int }
abstract class Base { abstract fun open(); open fun close() {} fun plain() {} private fun own() {} }
-- a/Disk.kt --
package a
class Disk : Base(), Reader { override fun open() {} override fun read(key: String): String = ""; override val size: Int = 1; fun own() {} }
object Single : Reader { override fun read(key: String) = ""; override val size = 2 }
class By(r: Reader) : Reader by r
`, `By > Reader exact
Disk > Base exact
Disk > Reader exact
Disk.open > Base.open exact
Disk.read > Reader.read exact
Disk.size > Reader.size exact
Single > Reader exact
Single.read > Reader.read exact
Single.size > Reader.size exact`},
		{"Swift: by name, which tells nothing", `
-- Sources/A/a.swift --
protocol Reader { func read(key: String) -> String }
class Disk: Reader { func read(key: String) -> String { "" } }
`, ``},
		{"TypeScript: fields, underscores, private members", `
-- a.ts --
interface Plugin { size: number; _run?: () => void; own(): void }
class Mine implements Plugin { size = 1; _run() {} own() {} }
class Base { private hid() {} #no() {} _yes() {} }
class More extends Base { hid() {} #no() {} _yes() {} }
`, `Mine > Plugin exact
Mine._run > Plugin._run exact
Mine.own > Plugin.own exact
Mine.size > Plugin.size exact
More > Base exact
More._yes > Base._yes exact`},
	})
}
