CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`user` text NOT NULL,
	`domain` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`created` integer NOT NULL,
	`challenged` integer NOT NULL,
	FOREIGN KEY (`user`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `passkeys_user` ON `passkeys` (`user`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`owner` text NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`created` integer NOT NULL,
	`link` text,
	`link_expires` integer,
	`link_opens` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`owner`) REFERENCES `owners`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_name` ON `users` (`owner`,`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_link` ON `users` (`link`);--> statement-breakpoint
ALTER TABLE `tokens` ADD `user` text REFERENCES users(id) ON DELETE cascade;--> statement-breakpoint
CREATE INDEX `tokens_user` ON `tokens` (`user`) WHERE user IS NOT NULL;