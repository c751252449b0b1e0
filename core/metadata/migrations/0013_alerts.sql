CREATE TABLE `alerts` (
	`id` text PRIMARY KEY NOT NULL,
	`owner` text NOT NULL,
	`created` integer NOT NULL,
	`name` text NOT NULL,
	`enabled` integer NOT NULL,
	`url` text NOT NULL,
	`conditions` text NOT NULL,
	`secrets` text NOT NULL,
	`origin` text NOT NULL,
	`position` integer NOT NULL,
	FOREIGN KEY (`owner`) REFERENCES `owners`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `alerts_owner` ON `alerts` (`owner`);--> statement-breakpoint
CREATE TABLE `deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`owner` text NOT NULL,
	`alert` text NOT NULL,
	`face` integer,
	`event` integer,
	`person` text,
	`matches` text NOT NULL,
	`state` text NOT NULL,
	`created` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due` integer NOT NULL,
	`since` integer,
	`ended` integer,
	`fault` text,
	FOREIGN KEY (`owner`) REFERENCES `owners`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`alert`) REFERENCES `alerts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`face`) REFERENCES `faces`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_event` ON `deliveries` (`alert`,`event`);--> statement-breakpoint
CREATE INDEX `deliveries_state` ON `deliveries` (`alert`,`state`);--> statement-breakpoint
CREATE INDEX `deliveries_person` ON `deliveries` (`alert`,`person`);--> statement-breakpoint
CREATE INDEX `deliveries_order` ON `deliveries` (`alert`,`person`) WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`owner`,`due`) WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX `deliveries_ended` ON `deliveries` (`ended`) WHERE ended IS NOT NULL;--> statement-breakpoint
CREATE INDEX `deliveries_face` ON `deliveries` (`face`);