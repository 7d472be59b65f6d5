import { EDIT_RULES } from '../../src/domain/rules/edit-rules.js';
import { isEditable } from '../../src/domain/networks/live-fields.js';
import type { NetworkFailureCode } from '../../src/domain/networks/network-failures.js';
import type { Network } from '../../src/domain/networks/networks.js';
import { openWeb, type Web } from '../../src/networks/http-client/web.js';
import { createNetworks } from '../../src/networks/registry.js';
import type { EditResult } from '../../src/services/networks/network-ports.js';
import { aPost } from '../fixtures/posts.js';
import { facebookCase } from './stand-ins/facebook.js';
import { googleCase, youtubeCase } from './stand-ins/google.js';
import { linkedinCase } from './stand-ins/linkedin.js';
import { mastodonCase } from './stand-ins/mastodon.js';
import {
  NOW,
  type EditCase,
  type NetworkCase,
  type NetworkStandIn,
} from './stand-ins/network-case.js';
import type { Fault } from './stand-ins/stand-in.js';
import { telegramCase } from './stand-ins/telegram.js';
import { wordpressCase } from './stand-ins/wordpress.js';

const CASES: readonly NetworkCase[] = [
  mastodonCase,
  wordpressCase,
  telegramCase,
  linkedinCase,
  youtubeCase,
  googleCase,
  facebookCase,
];
const clock = { now: () => NOW };
const web = openWeb({ allowLoopback: true, clock });

it('has an adapter for each network that can be edited, and for no other', () => {
  const adapters = createNetworks(web, {
    linkedinVersion: '202609',
    facebookVersion: 'v25.0',
    blogHtml: () => '',
  });
  const editable = (Object.keys(EDIT_RULES) as Network[]).filter(isEditable).sort();
  expect(Object.keys(adapters).sort()).toEqual(editable);
  expect(CASES.map(({ network }) => network).sort()).toEqual(editable);
  expect(
    Object.entries(adapters)
      .filter(([, { verified }]) => verified)
      .map(([network]) => network),
  ).toEqual(['wordpress']);
});

interface Failure {
  readonly name: string;
  readonly fault: Fault;
  readonly code:
    | NetworkFailureCode
    | ((namesPost: boolean, unknownAddress?: NetworkFailureCode) => NetworkFailureCode);
  readonly retryAfterMs?: number;
  /** Whether the network says something of its own. */
  readonly repeats?: boolean;
}

/** What goes wrong, and what it is to the caller. */
function failures(words: (status: number) => unknown): readonly Failure[] {
  const says = (
    status: number,
    code: Failure['code'],
    more: Partial<Failure> & { headers?: Record<string, string> } = {},
  ): Failure => ({
    name: String(status),
    code,
    repeats: true,
    fault: { status, json: words(status), ...(more.headers && { headers: more.headers }) },
    ...more,
  });
  const page = (status: number): Failure => ({
    name: `a web page (${status})`,
    fault: {
      status,
      text: '<!doctype html><title>Oops</title>',
      headers: { 'Content-Type': 'text/html; charset=utf-8' },
    },
    code: 'NETWORK_UNAVAILABLE',
  });
  return [
    says(400, 'NETWORK_REFUSED'),
    says(401, 'NETWORK_REAUTHORIZATION_NEEDED'),
    says(403, 'NETWORK_FORBIDDEN'),
    says(404, (namesPost, unknownAddress = 'NETWORK_UNAVAILABLE') =>
      namesPost ? 'NETWORK_POST_DELETED' : unknownAddress,
    ),
    says(410, (namesPost) => (namesPost ? 'NETWORK_POST_DELETED' : 'NETWORK_UNAVAILABLE')),
    says(409, 'NETWORK_CONFLICT'),
    says(422, 'NETWORK_REFUSED'),
    says(429, 'NETWORK_RATE_LIMITED'),
    says(429, 'NETWORK_RATE_LIMITED', {
      name: '429 with seconds',
      headers: { 'Retry-After': '7' },
      retryAfterMs: 7_000,
    }),
    says(429, 'NETWORK_RATE_LIMITED', {
      name: '429 with a date',
      headers: { 'Retry-After': 'Sat, 21 Nov 2026 08:01:30 GMT' },
      retryAfterMs: 90_000,
    }),
    says(429, 'NETWORK_RATE_LIMITED', {
      name: '429 with the end of a window',
      headers: { 'X-RateLimit-Reset': '2026-11-21T08:00:45.000Z' },
      retryAfterMs: 45_000,
    }),
    says(500, 'NETWORK_UNAVAILABLE'),
    says(503, 'NETWORK_UNAVAILABLE', {
      name: '503 with a pause',
      headers: { 'Retry-After': '120' },
      retryAfterMs: 120_000,
    }),
    {
      name: 'a redirect',
      fault: { status: 302, headers: { Location: 'http://127.0.0.1:9/' } },
      code: 'NETWORK_UNAVAILABLE',
    },
    ...[200, 401, 403, 404, 502].map(page),
    {
      name: 'what is no JSON',
      fault: { status: 200, text: 'Bye.', headers: { 'Content-Type': 'application/json' } },
      code: 'NETWORK_UNAVAILABLE',
    },
    { name: 'a connection that is cut', fault: 'cut', code: 'NETWORK_UNAVAILABLE' },
  ];
}

describe.each(CASES.map((one) => [one.network, one] as const))(
  '%s',
  (_network, { edits, ...network }) => {
    let there: NetworkStandIn;
    beforeEach(async () => {
      there = await network.open();
    });
    afterEach(() => there.close());

    const editOf = (
      { post, changed }: EditCase,
      credentials = network.credentials(there.url),
      remoteId = network.remoteId,
    ) => ({
      account: aPost().account!,
      credentials,
      remoteId,
      post: aPost({ network: network.network, cell: 'published_posted', ...post }),
      changed: new Set(changed),
    });
    const edit = (one: EditCase, through: Web = web): Promise<EditResult> =>
      network.adapter(through, there.url).edit(editOf(one));
    const first = edits[0]!;

    it.each(edits.map((one) => [one.name, one] as const))(
      'edits %s; and again, changing nothing more',
      async (_name, one) => {
        const before = structuredClone(there.shown()) as object;
        expect({
          result: await edit(one),
          complaints: there.complaints,
          requests: [...there.received],
        }).toEqual({ result: { kind: 'edited' }, complaints: [], requests: one.requests });
        const after = structuredClone(there.shown());
        expect(after).toEqual({ ...before, ...one.shown });
        expect(await edit(one)).toEqual({ kind: 'edited' });
        expect({ shown: there.shown(), complaints: there.complaints }).toEqual({
          shown: after,
          complaints: [],
        });
      },
    );

    it('says whose the credentials are, changing nothing', async () => {
      const before = structuredClone(there.shown());
      expect(await network.adapter(web, there.url).check(network.credentials(there.url))).toEqual({
        kind: 'connected',
        ...network.account,
      });
      expect({ shown: there.shown(), complaints: there.complaints }).toEqual({
        shown: before,
        complaints: [],
      });
    });

    it('needs every credential that is not optional, before it asks anything', async () => {
      const adapter = network.adapter(web, there.url);
      const needed = adapter.credentialFields.filter(({ optional }) => !optional);
      for (const { name } of needed) {
        const credentials = { ...network.credentials(there.url), [name]: ' ' };
        const refused = {
          kind: 'failed',
          code: 'NETWORK_NOT_CONNECTED',
          message: `The credentials for ${network.name} lack ${name}.`,
        };
        expect([
          await adapter.edit(editOf(first, credentials)),
          await adapter.check(credentials),
        ]).toEqual([refused, refused]);
      }
      expect(there.received).toEqual([]);
      const secrets = Object.fromEntries(
        adapter.credentialFields.map(({ name, secret }) => [name, secret]),
      );
      expect(
        Object.entries(network.credentials(there.url))
          .filter(([, value]) => network.secrets.includes(value))
          .map(([name]) => secrets[name]),
      ).not.toContain(false);
    });

    it.each([
      '',
      ' ',
      '../me',
      '1/comments',
      '1?fields=id',
      '1#',
      'urn:li:share:1/../2',
      'accounts/1',
      '-1',
      '1\n2',
    ])('takes %j for no id of a post', async (remoteId) => {
      expect(
        await network
          .adapter(web, there.url)
          .edit(editOf(first, network.credentials(there.url), remoteId)),
      ).toEqual({
        kind: 'failed',
        code: 'NETWORK_POST_UNKNOWN',
        message: `${JSON.stringify(remoteId)} is no id of a post on ${network.name}.`,
      });
      expect(there.received).toEqual([]);
    });

    // What the network says is shown to users, and may repeat what it was sent.
    const words = (status: number): unknown =>
      network.refusal(status, `<b>No</b>, not with ${network.secrets[0]}`);
    it.each(failures(words).map((one) => [one.name, one] as const))(
      'meets %s at each of its requests, and does the same edit later',
      async (_name, { fault, code, retryAfterMs, repeats }) => {
        for (const number of first.requests.keys()) {
          const fresh = await network.open();
          const adapter = network.adapter(web, fresh.url);
          const asked = editOf(first, network.credentials(fresh.url));
          const before = structuredClone(fresh.shown()) as object;
          fresh.breakAt(number, fault);
          const result = await adapter.edit(asked);

          const broken = decodeURIComponent(fresh.received[number]!);
          const expected =
            typeof code === 'string'
              ? code
              : code(broken.includes(`/${network.remoteId}`), network.unknownAddress);
          expect({ broken, ...result }).toEqual({
            broken,
            kind: 'failed',
            code: expected,
            message: expect.stringMatching(new RegExp(`^${network.name} .+[.…]$`)),
            ...(retryAfterMs !== undefined && { retryAfterMs }),
          });
          const { message } = result as { message: string };
          expect(network.secrets.filter((secret) => message.includes(secret))).toEqual([]);
          if (repeats && expected !== 'NETWORK_UNAVAILABLE')
            expect(message).toContain('No, not with •••');

          fresh.breakAt(-1, fault);
          expect({
            again: await adapter.edit(asked),
            shown: fresh.shown(),
            complaints: fresh.complaints,
          }).toEqual({
            again: { kind: 'edited' },
            shown: { ...before, ...first.shown },
            complaints: [],
          });
          await fresh.close();
        }
      },
    );

    it('shows no part of a secret where the network’s words are cut', async () => {
      const secret = network.secrets[0]!;
      for (const before of [288, 292, 296]) {
        there.breakAt(0, { status: 422, json: network.refusal(422, 'x'.repeat(before) + secret) });
        expect(await edit(first)).toMatchObject({
          kind: 'failed',
          message: expect.not.stringContaining(`x${secret.slice(0, 3)}`),
        });
      }
    });

    it('reads the words of a hostile refusal once, however long they are', async () => {
      there.breakAt(0, { status: 422, json: network.refusal(422, '<'.repeat(5_000_000)) });
      expect(await edit(first)).toMatchObject({ kind: 'failed' });
    });

    const oddAnswers = {
      null: 'null',
      'a list': '[null]',
      'an empty object': '{}',
      'a number': '0',
      nothing: '',
      'lists in lists without end': `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
    };
    it.each(Object.entries(oddAnswers))(
      'throws at no answer that is not as documented: %s',
      async (_name, text) => {
        for (const number of first.requests.keys()) {
          const fresh = await network.open();
          fresh.breakAt(number, {
            status: 200,
            text,
            headers: { 'Content-Type': 'application/json' },
          });
          const result = await network
            .adapter(web, fresh.url)
            .edit(editOf(first, network.credentials(fresh.url)));
          if (result.kind === 'failed')
            expect(result).toMatchObject({
              message: expect.stringMatching(new RegExp(`^${network.name} .+[.…]$`)),
            });
          await fresh.close();
        }
      },
    );

    it('waits for no answer for ever, neither for one nor for all', async () => {
      const told: EditResult[] = [];
      for (const limits of [
        { callMs: 80, allMs: 60_000 },
        { callMs: 60_000, allMs: 120 },
      ]) {
        const hasty = openWeb({ allowLoopback: true, clock, limits });
        const fresh = await network.open(); // on a busy machine what was given up may arrive after the next edit has begun
        fresh.breakAt(0, 'silence');
        told.push(
          await network
            .adapter(hasty, fresh.url)
            .edit(editOf(first, network.credentials(fresh.url))),
        );
        await fresh.close();
      }
      expect(told).toEqual(
        [0.08, 0.12].map((seconds) => ({
          kind: 'failed',
          code: 'NETWORK_UNAVAILABLE',
          message: `${network.name} is not available: it did not answer within ${seconds} seconds.`,
        })),
      );
    });

    it('goes to no address on this machine unless that is allowed', async () => {
      const guarded = openWeb({ allowLoopback: false, clock });
      expect(await edit(first, guarded)).toEqual({
        kind: 'failed',
        code: 'NETWORK_NOT_CONNECTED',
        message: expect.stringMatching(/ https:\/\/|not a public address/),
      });
      expect(there.received).toEqual([]);
    });
  },
);
