/**
 * What keeps a post from being published when its time comes, although its state allows it: the
 * first one that applies.
 */
export type PublicationHold =
  /** A file cannot be had: it could not be fetched, or was not sent in time (D63). */
  | 'media_failed'
  /** A file has not arrived yet (D63). */
  | 'media_waiting'
  /** An operator locked the workspace (D57). */
  | 'workspace_locked'
  /** The post was given its time by the queue of its account, which is paused (D61). */
  | 'queue_paused'
  /** Nothing is published at the moment (D56). */
  | 'publishing_paused';
