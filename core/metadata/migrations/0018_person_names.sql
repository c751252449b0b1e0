ALTER TABLE `persons` ADD `name_folded` text;--> statement-breakpoint
CREATE INDEX `persons_name` ON `persons` (`owner`,`name_folded`);--> statement-breakpoint
CREATE TRIGGER `persons_renamed` AFTER UPDATE OF `meta` ON `persons` BEGIN
	UPDATE `persons` SET `name_folded` = NULL WHERE `owner` = NEW.`owner` AND `id` = NEW.`id`;
END;