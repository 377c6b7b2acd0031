#!/usr/bin/env node
'use strict';

/*!
 * Copyright (c) Someone. All rights reserved.
 */

/**
 * @fileoverview Command line of the tool.
 */

const fs = require('fs'), { join, resolve: res } = require('path');
const debug = require('debug')('app');
const pick = require('./util').pick;
require('./polyfill');

function Client(url) { this.url = url; this.close = function () { return this.url } }
Client.prototype.get = function get(path) { return fs.readFileSync(join(this.url, path)) };
Client.prototype.on = Client.prototype.addListener = function (name, fn) { fn(name) };
Client.create = (url) => new Client(url);
function Pool() {}
Pool.prototype = { take() {}, give: function (c) { c.close() } };
Object.assign(Pool.prototype, { drain() {} });
util.inherits(Pool, Client);
var run = function () { log() };
var later;
later = function (a) { return a };
exports.VERSION_CODE = 3;
exports.start = exports.begin = function (port) { later(port) };
exports.Client = Client;
exports.helper = require('./helper');
if (require.main === module) run();
module.exports = { Pool, run: later, stop() {}, sub: require('./sub').sub };
module.exports.extra = class Extra { m() {} };
