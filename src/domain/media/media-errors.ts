/** A file is larger than allowed. The rest of it was not read. */
export class FileTooLargeError extends Error {}

/**
 * A picture cannot be decoded, has too many pixels, or takes too long. The message follows the name
 * of the file and a space.
 */
export class UnreadablePictureError extends Error {}

/** A file could not be fetched. The message is a sentence for users. */
export class FetchFailedError extends Error {
  constructor(
    message: string,
    /** Whether a later attempt may succeed. */
    readonly isRetryable: boolean,
  ) {
    super(message);
  }
}
