import type { VocabularyEntry } from '../enums.js';

/** The ways in which changes reach the service. */
export const API_KINDS = {
  graphql: { description: 'The GraphQL API.', source: 'D70' },
  rest: { description: 'REST v1.', source: 'D70' },
  cli: { description: 'An operator command.', source: 'D70' },
  import: { description: 'An import from an export file.', source: 'D70' },
  service: { description: 'The gateway itself, for example a worker.', source: 'D70' },
} as const satisfies Record<string, VocabularyEntry>;
export type ApiKind = keyof typeof API_KINDS;

/** Who makes a change, and through which API. */
export interface Actor {
  /** Null if no user makes the change. */
  readonly userId: string | null;
  /** The ID of the API key; null if none is used. */
  readonly keyId: string | null;
  readonly api: ApiKind;
}

/** The service itself: a change that follows from a network's response, or from the time. */
export const SERVICE: Actor = { userId: null, keyId: null, api: 'service' };

/** An operator's command. */
export const OPERATOR: Actor = { userId: null, keyId: null, api: 'cli' };

/** What an actor has of a viewer. */
interface ActingViewer {
  readonly user: { readonly id: string };
  readonly key: { readonly id: string };
  readonly api: ApiKind;
}

/** The viewer, with the API key and the API of the request. */
export const toActor = ({ user, key, api }: ActingViewer): Actor => ({
  userId: user.id,
  keyId: key.id,
  api,
});
