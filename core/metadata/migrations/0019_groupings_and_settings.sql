CREATE TABLE `grouped_faces` (
	`face` integer PRIMARY KEY NOT NULL,
	`owner` text NOT NULL,
	`person` integer NOT NULL,
	`named` integer NOT NULL,
	FOREIGN KEY (`face`) REFERENCES `faces`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner`) REFERENCES `owners`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `grouped_faces_person` ON `grouped_faces` (`owner`,`person`);--> statement-breakpoint
CREATE TABLE `grouped_persons` (
	`owner` text NOT NULL,
	`person` integer NOT NULL,
	PRIMARY KEY(`owner`, `person`),
	FOREIGN KEY (`owner`) REFERENCES `owners`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner`,`person`) REFERENCES `persons`(`owner`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `person_groupings` (
	`owner` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`position` integer NOT NULL,
	`last` integer NOT NULL,
	`faces` integer NOT NULL,
	`examined` integer NOT NULL,
	`assigned` integer NOT NULL,
	`persons` integer NOT NULL,
	FOREIGN KEY (`owner`) REFERENCES `owners`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `settings` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
