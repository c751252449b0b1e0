CREATE TABLE `cores` (
	`id` text PRIMARY KEY NOT NULL,
	`ends` integer NOT NULL,
	`shares` text
);
--> statement-breakpoint
ALTER TABLE `owners` ADD `revision` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `unsettled` ADD `core` text;--> statement-breakpoint
CREATE INDEX `unsettled_face` ON `unsettled` (`face`);