'use strict'

/**
 * Module dependencies.
 * @private
 */
var debug = require('debug')('app');

// The variable is the export; functions put into it are its methods.
var app = exports = module.exports = {};

/** Starts it. */
app.init = function init() { this.settings = {}; debug('init') };
app.handle = (req) => { req.next() };
exports.Route = Router.Route;
jQuery.extend({ each: function (list) {} });
jQuery.fn.extend({ find(selector) {} });
jQuery.expr = { cache: 1, filter: { TAG: function (n) {} } };
