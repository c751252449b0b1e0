CREATE TABLE `events` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`owner` text NOT NULL,
	`face` integer NOT NULL,
	FOREIGN KEY (`face`) REFERENCES `faces`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `events_owner` ON `events` (`owner`);--> statement-breakpoint
CREATE INDEX `events_face` ON `events` (`face`);