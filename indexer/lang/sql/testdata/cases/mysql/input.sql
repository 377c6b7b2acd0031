# Expected: names in backticks, keys are no columns, DELIMITER ends routines.
CREATE TABLE `shop`.`users` (
  `id` int unsigned NOT NULL AUTO_INCREMENT,
  `name` varchar(255) CHARACTER SET utf8mb4 DEFAULT 'it\'s, (x' COMMENT 'Shown, to all',
  `kind` enum('a','b') NOT NULL,
  key_name int, # it's no string
  `group_id` int,
  PRIMARY KEY (`id`),
  UNIQUE KEY `name` (`name`(10)),
  KEY `kind` (`kind`),
  FULLTEXT KEY ft (name),
  CONSTRAINT `fk_group` FOREIGN KEY (`group_id`) REFERENCES `groups` (`id`)
) ENGINE=InnoDB COMMENT='All users';

DELIMITER //
CREATE DEFINER=`root`@`localhost` PROCEDURE `tidy`(IN n INT, OUT total INT)
BEGIN
  IF n > 0 THEN DELETE FROM users; END IF;
  CREATE TEMPORARY TABLE tmp (a int);
END //
CREATE TRIGGER before_users BEFORE INSERT ON users FOR EACH ROW SET NEW.name = 'x;'//
DELIMITER ;

CREATE FUNCTION f(a INT) RETURNS INT DETERMINISTIC RETURN a + 1;
CREATE EVENT cleanup ON SCHEDULE EVERY 1 DAY DO DELETE FROM users;
ALTER TABLE users ADD (age int, born date), ADD INDEX idx (age), MODIFY name text;
ALTER TABLE `users` ADD `last` datetime AFTER `name`;
CREATE ALGORITHM=MERGE DEFINER=x@y SQL SECURITY DEFINER VIEW v AS select 1 from users;
