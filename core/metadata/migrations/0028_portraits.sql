ALTER TABLE `persons` ADD `portrait` integer;--> statement-breakpoint
ALTER TABLE `persons` ADD `merged` text;