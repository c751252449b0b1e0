ALTER TABLE `grouped_faces` ADD `before` integer;--> statement-breakpoint
ALTER TABLE `person_groupings` ADD `joined` integer;