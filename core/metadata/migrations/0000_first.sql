CREATE TABLE `faces` (
	`id` integer PRIMARY KEY NOT NULL,
	`owner` text NOT NULL,
	`timestamp` integer NOT NULL,
	`photo` text NOT NULL,
	`photo_hash` text NOT NULL,
	`x1` integer NOT NULL,
	`y1` integer NOT NULL,
	`x2` integer NOT NULL,
	`y2` integer NOT NULL,
	`meta` text NOT NULL,
	`person_id` text,
	`cam_id` text,
	`age` real,
	`gender` text,
	`emotions` text,
	`detector_info` text,
	FOREIGN KEY (`owner`) REFERENCES `owners`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `faces_owner` ON `faces` (`owner`);--> statement-breakpoint
CREATE TABLE `galleries` (
	`owner` text NOT NULL,
	`name` text NOT NULL,
	`created` integer NOT NULL,
	PRIMARY KEY(`owner`, `name`),
	FOREIGN KEY (`owner`) REFERENCES `owners`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `memberships` (
	`owner` text NOT NULL,
	`gallery` text NOT NULL,
	`face` integer NOT NULL,
	PRIMARY KEY(`owner`, `gallery`, `face`),
	FOREIGN KEY (`face`) REFERENCES `faces`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner`,`gallery`) REFERENCES `galleries`(`owner`,`name`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `memberships_face` ON `memberships` (`face`);--> statement-breakpoint
CREATE TABLE `owners` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`created` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `owners_name` ON `owners` (`name`);--> statement-breakpoint
CREATE TABLE `remembered_answers` (
	`owner` text NOT NULL,
	`key` text NOT NULL,
	`request_hash` text NOT NULL,
	`answer` text NOT NULL,
	`created` integer NOT NULL,
	PRIMARY KEY(`owner`, `key`),
	FOREIGN KEY (`owner`) REFERENCES `owners`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `remembered_answers_created` ON `remembered_answers` (`created`);--> statement-breakpoint
CREATE TABLE `tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`owner` text NOT NULL,
	`name` text NOT NULL,
	`created` integer NOT NULL,
	`revoked` integer,
	FOREIGN KEY (`owner`) REFERENCES `owners`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tokens_hash` ON `tokens` (`hash`);--> statement-breakpoint
CREATE INDEX `tokens_owner` ON `tokens` (`owner`);