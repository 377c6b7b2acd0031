/**
 * Orders and how they are kept. More text.
 */
@NonNullApi
package com.shop.order;

import org.springframework.lang.NonNullApi;
