CREATE TABLE `person_changes` (
	`operation` text PRIMARY KEY NOT NULL,
	`core` text,
	`owner` text NOT NULL,
	`person` integer NOT NULL,
	`change` text NOT NULL,
	FOREIGN KEY (`owner`) REFERENCES `owners`(`id`) ON UPDATE no action ON DELETE cascade
);
