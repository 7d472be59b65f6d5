/** A file on another server, while it is downloaded. */
export interface Download {
  /** Reading it fails with FetchFailedError or FileTooLargeError. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** Fetches files from public https addresses, without redirects. */
export interface MediaSource {
  /** Why a URL is never fetched, or null. Names are resolved only when the file is fetched. */
  problemOf(url: string): string | null;
  /** @throws FetchFailedError */
  open(url: string): Promise<Download>;
}
