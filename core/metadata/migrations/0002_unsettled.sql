CREATE TABLE `unsettled` (
	`id` integer PRIMARY KEY NOT NULL,
	`work` text NOT NULL,
	`owner` text NOT NULL,
	`face` integer NOT NULL,
	`galleries` text NOT NULL,
	`since` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `unsettled_work` ON `unsettled` (`work`);--> statement-breakpoint
ALTER TABLE `galleries` ADD `going` integer DEFAULT false NOT NULL;