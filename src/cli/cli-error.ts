/** An error that the operator can fix. The CLI prints its message without a stack trace. */
export class CliError extends Error {}

/** Invalid arguments, independent of the content of the database. Exit code 2. */
export class UsageError extends CliError {}
