CREATE TABLE `recordings` (
	`camera` text PRIMARY KEY NOT NULL,
	`owner` text NOT NULL,
	`start` integer NOT NULL,
	`size` integer NOT NULL,
	`received` integer DEFAULT 0 NOT NULL,
	`changed` integer NOT NULL,
	`watcher` text,
	`report` text,
	FOREIGN KEY (`owner`) REFERENCES `owners`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `recordings_owner` ON `recordings` (`owner`);