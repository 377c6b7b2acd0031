-- MySQL dump 10.13
/*!40101 SET NAMES utf8 */;
DROP TABLE IF EXISTS `a`;
/*!50503 SET character_set_client = utf8mb4 */;
CREATE TABLE `a` (`id` int, `b` text);
INSERT INTO `a` VALUES (1,'x\'); CREATE TABLE `no` (a int);'),(2,'y'),(3,NULL);
INSERT INTO `a` VALUES (4,'z');
/*!50001 CREATE ALGORITHM=UNDEFINED */
/*!50013 DEFINER=`root`@`%` SQL SECURITY DEFINER */
/*!50001 VIEW `v` AS select `a`.`id` AS `id` from `a` */;
DELIMITER ;;
/*!50003 CREATE*/ /*!50017 DEFINER=`r`@`%`*/ /*!50003 TRIGGER `t` BEFORE INSERT ON `a` FOR EACH ROW BEGIN SET @x = 1; END */;;
DELIMITER ;
-- Expected: what comments for MySQL hold is read, rows are not.
CREATE TABLE `last` (`id` int);
