/** The shop. */
open module com.shop {
  requires transitive java.sql;
  requires static org.slf4j;
  exports com.shop.order;
  exports com.shop.inner to com.other;
  opens com.shop.web;
  uses com.shop.spi.Plugin;
  provides com.shop.spi.Plugin with com.shop.impl.Default;
}
