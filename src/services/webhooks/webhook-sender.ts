/** A message to send. */
export interface SignedMessage {
  /** The same in every attempt: receivers use it to ignore duplicates. */
  readonly id: string;
  readonly url: string;
  readonly body: string;
  /** The message is signed with each of them. */
  readonly secrets: readonly string[];
}

/** What a receiver responded. */
export type ReceiverResponse =
  | {
      readonly kind: 'response';
      readonly status: number;
      /** The beginning of the body. */
      readonly body: string;
      /** The pause that the receiver requested, in milliseconds. */
      readonly retryAfterMs: number | null;
    }
  /** No response, or the address is not allowed. */
  | { readonly kind: 'none'; readonly reason: string };

/** Sends messages to receivers: only to public https addresses, without redirects. */
export interface WebhookSender {
  /**
   * Why messages cannot be sent to this URL, as the rest of a sentence; null if they can. The name of
   * the host is resolved only when messages are sent.
   */
  problemOf(url: string): string | null;
  /** Never throws. Ends within 20 seconds. */
  send(message: SignedMessage): Promise<ReceiverResponse>;
}
