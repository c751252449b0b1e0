ALTER TABLE `faces` ADD `snapshot` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `faces` ADD `clip` integer DEFAULT false NOT NULL;