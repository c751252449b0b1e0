CREATE TABLE `false_alarms` (
	`owner` text NOT NULL,
	`gallery` text NOT NULL,
	`target` text NOT NULL,
	`scale` text NOT NULL,
	`faces` integer NOT NULL,
	`probes` integer NOT NULL,
	`tail` text,
	PRIMARY KEY(`owner`, `gallery`, `target`),
	FOREIGN KEY (`owner`) REFERENCES `owners`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `person_exclusions` (
	`owner` text NOT NULL,
	`face` integer NOT NULL,
	`person` integer NOT NULL,
	PRIMARY KEY(`face`, `person`),
	FOREIGN KEY (`owner`) REFERENCES `owners`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`face`) REFERENCES `faces`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner`,`person`) REFERENCES `persons`(`owner`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `person_exclusions_persons` ON `person_exclusions` (`owner`,`person`);--> statement-breakpoint
ALTER TABLE `faces` ADD `measured_quality` real;