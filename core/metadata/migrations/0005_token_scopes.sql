ALTER TABLE `tokens` ADD `scope` text DEFAULT 'admin' NOT NULL;--> statement-breakpoint
ALTER TABLE `tokens` ADD `expires` integer;--> statement-breakpoint
ALTER TABLE `tokens` ADD `rate` real;--> statement-breakpoint
ALTER TABLE `tokens` ADD `used` integer;