CREATE TABLE `push_keys` (
	`id` integer PRIMARY KEY NOT NULL,
	`public_key` text NOT NULL,
	`private_key` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `push_subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`owner` text NOT NULL,
	`user` text,
	`token` text NOT NULL,
	`endpoint` text NOT NULL,
	`p256dh` text NOT NULL,
	`auth` text NOT NULL,
	`created` integer NOT NULL,
	FOREIGN KEY (`owner`) REFERENCES `owners`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `push_subscriptions_owner` ON `push_subscriptions` (`owner`);--> statement-breakpoint
CREATE INDEX `push_subscriptions_user` ON `push_subscriptions` (`user`);--> statement-breakpoint
DROP INDEX `deliveries_event`;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `subscription` text REFERENCES push_subscriptions(id) ON DELETE cascade;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `seen` integer;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `seen_by` text;--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_subscription` ON `deliveries` (`subscription`,`alert`,`event`);--> statement-breakpoint
CREATE INDEX `deliveries_unseen` ON `deliveries` (`owner`) WHERE seen IS NULL AND subscription IS NULL AND face IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_event` ON `deliveries` (`alert`,`event`) WHERE subscription IS NULL;--> statement-breakpoint
ALTER TABLE `galleries` ADD `display_name` text;--> statement-breakpoint
ALTER TABLE `unsettled` ADD `vector` text;--> statement-breakpoint
ALTER TABLE `users` ADD `subject` text;--> statement-breakpoint
CREATE UNIQUE INDEX `users_subject` ON `users` (`subject`);--> statement-breakpoint
ALTER TABLE `alerts` ADD `browsers` integer DEFAULT false NOT NULL;