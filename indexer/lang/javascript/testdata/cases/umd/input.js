// The wrapper of an old library counts as the level of the file.
(function (root, factory) {
  if (typeof define === 'function' && define.amd) define(['dep'], factory);
  else if (typeof module === 'object') module.exports = factory(require('dep'));
  else root.Lib = factory(root.Dep);
})(this, function (Dep) {
  'use strict';
  var VERSION = '1';
  /** Makes a widget. */
  function Widget(el) { this.el = el }
  Widget.prototype.show = function () { Dep.show(this.el) };
  Lib.util = { each: function (list, fn) {}, deep: { pick() {} } };
  $.fn.widget = function () { return new Widget(this) };
  return Widget;
});
define('named', ['jquery', './local', 'exports'], function ($, local, exports) {
  function inModule() { return $(local.find()) }
  exports.inModule = inModule;
});
const Counter = (function () {
  let count = 0;
  function next() { return ++count }
  return { next };
})();
$(function ready() { var plain = 1; function inCallback() {} });
