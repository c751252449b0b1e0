ALTER TABLE `users` ADD `subject` text;--> statement-breakpoint
CREATE UNIQUE INDEX `users_subject` ON `users` (`subject`);