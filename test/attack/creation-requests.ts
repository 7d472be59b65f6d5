import type { Account } from '../../src/domain/posts/post.js';
import { allRows } from '../fixtures/database-rows.js';
import { gatewayWith, type TestGateway } from '../fixtures/gateway.js';

const DAY_MS = 86_400_000;
/** A time in whole seconds. */
export const inDays = (days: number): string =>
  new Date(Math.floor(Date.now() / 1_000) * 1_000 + days * DAY_MS).toISOString();
export const TOMORROW = inDays(1);

export type Fields = Record<string, unknown>;
export const STATUS: Fields = { type: 'status', text: 'Hi' };
const CREATE = `mutation($input: CreatePostsInput!) { createPosts(input: $input) {
  results { state code message } userErrors { code field message rule } } }`;

/** Requests of both APIs that create posts for one account of a gateway. */
export interface CreationRequests {
  readonly gateway: TestGateway;
  readonly account: Account;
  anAccount(given?: Partial<Account> & { workspaceId?: string }): Promise<Account>;
  /** An entry of a body of v1, for the account. */
  entryOf(entry?: Fields): Fields;
  create(posts: readonly Fields[], query?: string, more?: Fields): Promise<any>;
  createInGraphql(
    input: Fields,
  ): Promise<{ problems: any[]; code: string | null; userErrors: any[] }>;
  /** Sends requests that must have no effect at all: no post, medium, label, job or record. */
  expectNoEffect(send: () => Promise<void>): Promise<void>;
}

export async function openCreationRequests(): Promise<CreationRequests> {
  const gateway = await gatewayWith();
  const anAccount: CreationRequests['anAccount'] = (given = {}) =>
    gateway.records.anAccount({
      workspaceId: gateway.owner.workspace.id,
      sandbox: true,
      ...given,
    });
  const account = await anAccount({ network: 'mastodon' });
  return {
    gateway,
    account,
    anAccount,
    entryOf: (entry = {}) => ({
      networks: { default: STATUS },
      accounts: [{ id: account.id, scheduled_at: TOMORROW }],
      ...entry,
    }),
    create: (posts, query = '', more = {}) =>
      gateway.v1('POST', `/posts/schedule${query}`, {
        body: { bulk: { state: 'scheduled', posts, ...more } },
      }),
    async createInGraphql(input) {
      const { body } = await gateway.graphql(CREATE, {
        input: {
          mode: 'SCHEDULE',
          scheduledAt: TOMORROW,
          targets: [{ accountId: account.id }],
          post: { type: 'STATUS', text: 'Hi' },
          ...input,
        },
      });
      return {
        problems: (body.errors ?? []).flatMap(
          ({ message, extensions }: any) => extensions.problems ?? [{ message }],
        ),
        code: body.errors?.[0].extensions.code ?? null,
        userErrors: body.data?.createPosts?.userErrors ?? [],
      };
    },
    async expectNoEffect(send) {
      const before = await allRows(gateway.db.pool);
      await send();
      expect(await allRows(gateway.db.pool)).toEqual(before);
    },
  };
}
