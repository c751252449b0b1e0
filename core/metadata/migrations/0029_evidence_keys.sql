CREATE TABLE `evidence_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`public_key` text NOT NULL,
	`private_key` text,
	`created` integer NOT NULL
);
