/** Shorter values would match parts of ordinary words. */
const MIN_SECRET_CHARACTERS = 6;

/**
 * Removes secrets from texts: networks can repeat credentials in error messages, and these reach
 * users and the log.
 */
export class Redactor {
  private readonly secrets: string[];

  constructor(secrets: readonly string[]) {
    this.secrets = [...secrets];
  }

  add(secret: string): void {
    this.secrets.push(secret);
  }

  /** The text with each secret, plain or URL-encoded, replaced by `•••`. */
  redact(text: string): string {
    const hidden = this.secrets
      .filter((secret) => secret.length >= MIN_SECRET_CHARACTERS)
      .flatMap((secret) => [secret, encodeURIComponent(secret)]);
    return hidden.reduce((redacted, secret) => redacted.replaceAll(secret, '•••'), text);
  }

  /**
   * A copy of an error for the log, with message and stack only: client libraries attach requests
   * with their headers to errors.
   */
  redactError(error: unknown): Error {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    const redacted = new Error(this.redact(message));
    redacted.stack = this.redact(stack ?? '');
    return redacted;
  }
}
