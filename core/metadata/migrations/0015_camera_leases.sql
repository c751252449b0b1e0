CREATE TABLE `camera_leases` (
	`camera` text PRIMARY KEY NOT NULL,
	`owner` text NOT NULL,
	`watcher` text NOT NULL,
	`since` integer NOT NULL,
	`reported` integer NOT NULL,
	`ends` integer NOT NULL,
	`report` text NOT NULL,
	`wanted` integer DEFAULT 0 NOT NULL,
	`picture` text,
	FOREIGN KEY (`camera`) REFERENCES `cameras`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner`) REFERENCES `owners`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `camera_leases_owner` ON `camera_leases` (`owner`);--> statement-breakpoint
CREATE INDEX `camera_leases_picture` ON `camera_leases` (`camera`) WHERE picture IS NOT NULL;--> statement-breakpoint
ALTER TABLE `cameras` ADD `options` text;