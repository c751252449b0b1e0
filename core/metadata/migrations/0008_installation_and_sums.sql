CREATE TABLE `installation` (
	`id` text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sums` (
	`name` text PRIMARY KEY NOT NULL,
	`columns` text NOT NULL,
	`count` integer NOT NULL,
	`sum` integer NOT NULL
);
