<%-- Expected: imports java.util.List, shop.Order, shop.Basket and the two pages; method price; calls of the scriptlets at their lines --%>
<%@ page language="java" import="java.util.List, shop.Order" contentType="text/html" %>
<%@ include file="header.jspf" %>
<jsp:useBean id="basket" class="shop.Basket" scope="session"/>
<%! private String price(Order o) { return format(o.total()); } %>
<html><body>
<% List<Order> orders = basket.orders();
   for (Order o : orders) { %>
  <li><%= price(o) %> größer <%= o.name() %></li>
<% } %>
<jsp:include page="/WEB-INF/footer.jsp"/>
</body></html>
