CREATE TABLE `cameras` (
	`id` text PRIMARY KEY NOT NULL,
	`owner` text NOT NULL,
	`created` integer NOT NULL,
	`meta` text,
	`url` text,
	`detector` text,
	`rot` text,
	`roi` text,
	`enabled` integer NOT NULL,
	FOREIGN KEY (`owner`) REFERENCES `owners`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `cameras_owner` ON `cameras` (`owner`);--> statement-breakpoint
CREATE TABLE `persons` (
	`owner` text NOT NULL,
	`id` integer NOT NULL,
	`meta` text NOT NULL,
	PRIMARY KEY(`owner`, `id`),
	FOREIGN KEY (`owner`) REFERENCES `owners`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
-- Answers of the last day held metas and links of faces; from here on only their ids are kept.
DELETE FROM `remembered_answers`;--> statement-breakpoint
ALTER TABLE `remembered_answers` ADD `faces` text NOT NULL;--> statement-breakpoint
ALTER TABLE `remembered_answers` DROP COLUMN `answer`;--> statement-breakpoint
CREATE INDEX `faces_meta` ON `faces` (`owner`,`meta`);--> statement-breakpoint
CREATE INDEX `faces_events` ON `faces` (`owner`) WHERE cam_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `faces_person` ON `faces` (`owner`,`person_id`) WHERE person_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `faces_sightings` ON `faces` (`owner`,`person_id`,`cam_id`,`timestamp`) WHERE person_id IS NOT NULL AND cam_id IS NOT NULL;