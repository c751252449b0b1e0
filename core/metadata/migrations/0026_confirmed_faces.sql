ALTER TABLE `faces` ADD `confirmed` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `faces` ADD `candidate` integer;--> statement-breakpoint
ALTER TABLE `faces` ADD `candidate_confidence` real;--> statement-breakpoint
CREATE INDEX `faces_confirmed` ON `faces` (`owner`,`person_id`) WHERE confirmed = 1;--> statement-breakpoint
CREATE INDEX `faces_candidate` ON `faces` (`owner`,`candidate`) WHERE candidate IS NOT NULL;--> statement-breakpoint
ALTER TABLE `persons` ADD `silent` integer DEFAULT false NOT NULL;