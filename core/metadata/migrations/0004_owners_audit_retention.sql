CREATE TABLE `audit` (
	`seq` integer PRIMARY KEY NOT NULL,
	`time` integer NOT NULL,
	`actor` text NOT NULL,
	`owner` text,
	`action` text NOT NULL,
	`subject` text NOT NULL,
	`hash` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `cameras` ADD `retention_days` integer;--> statement-breakpoint
ALTER TABLE `cameras` ADD `going` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `galleries` ADD `retention_days` integer;--> statement-breakpoint
ALTER TABLE `owners` ADD `retention_days` integer;--> statement-breakpoint
ALTER TABLE `owners` ADD `going` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE TRIGGER `audit_never_changes` BEFORE UPDATE ON `audit` BEGIN
	SELECT RAISE(ABORT, 'the audit log is append-only');
END;--> statement-breakpoint
CREATE TRIGGER `audit_is_pruned_only` BEFORE DELETE ON `audit`
WHEN OLD.seq > coalesce((SELECT max(json_extract(subject, '$.upTo')) FROM `audit` WHERE action = 'audit.prune'), 0) BEGIN
	SELECT RAISE(ABORT, 'the audit log is append-only');
END;
