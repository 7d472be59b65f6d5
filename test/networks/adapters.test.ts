import type { Post } from '../../src/domain/posts/post.js';
import {
  credentialFieldsOf,
  NETWORKS,
  supportsEdits,
  type Network,
} from '../../src/domain/networks/networks.js';
import { createNetworks } from '../../src/networks/registry.js';
import {
  describeNetworks,
  EDITABLE_CASES,
  http,
  NETWORK_CASES,
} from './stand-ins/network-suite.js';

it('has an adapter for every network', () => {
  const adapters = createNetworks(http, {
    linkedinVersion: '202609',
    facebookVersion: 'v25.0',
    appClient: () => null,
    blogHtml: () => '',
  });
  const editable = (Object.keys(NETWORKS) as Network[]).filter(supportsEdits).sort();
  const publishing = (Object.keys(NETWORKS) as Network[])
    .filter((network) => NETWORKS[network].publishing.publishes)
    .sort();
  const supported = [...new Set([...editable, ...publishing])].sort();
  expect(Object.keys(adapters).sort()).toEqual(Object.keys(NETWORKS).sort());
  expect(NETWORK_CASES.map(({ network }) => network).sort()).toEqual(supported);
  expect(EDITABLE_CASES.map(({ network }) => network).sort()).toEqual(editable);
  expect(
    Object.entries(NETWORKS)
      .filter(([, { adapter }]) => adapter.verified)
      .map(([network]) => network),
  ).toEqual(['bluesky', 'wordpress']);
});

/**
 * Options with which posts are published, and which an edit does not send, with the reason why
 * readers keep them. An edit that lacks any other option would take it away from readers.
 */
const KEPT_OPTIONS: Readonly<Record<string, string>> = {
  'mastodon visibility': 'An edit cannot change the audience of a status.',
  'mastodon sensitive': 'The edit sends back what the status has.',
  'telegram disableNotification': 'An edit notifies nobody.',
  'linkedin visibility': 'The edit is a partial update of the text.',
  'youtube category': 'The edit sends back what the video has.',
  'youtube language': 'The edit sends back what the video has.',
  ...Object.fromEntries(
    ['madeForKids', 'paid', 'privacy', 'syntheticContent'].map((option) => [
      `youtube ${option}`,
      'The edit does not name the part of the video with its status.',
    ]),
  ),
  'youtube playlistId': 'The video stays in the playlist.',
  ...Object.fromEntries(
    ['language', 'type', 'title', 'start', 'end', 'coupon', 'terms'].map((option) => [
      `google ${option}`,
      'The edit names the only field that it updates: the summary.',
    ]),
  ),
};

it('edits with each option that readers of a published post see', () => {
  const optionsOf = ({ networkOptions, details }: Partial<Post>): string[] =>
    Object.keys({ ...networkOptions, ...details });
  const lost = EDITABLE_CASES.flatMap(({ network, edits, publication }) => {
    const edited = new Set(edits.flatMap(({ post }) => optionsOf(post)));
    const published = publication?.cases.flatMap(({ post }) => optionsOf(post('https://x'))) ?? [];
    return [...new Set(published)]
      .filter((option) => !edited.has(option))
      .map((option) => `${network} ${option}`);
  });
  expect(lost.sort()).toEqual(Object.keys(KEPT_OPTIONS).sort());
});

describeNetworks(({ network, firstEdit, standIn, toEdit, edit }) => {
  it.each(network.edits.map((editCase) => [editCase.name, editCase] as const))(
    'edits %s; repeating the edit changes nothing',
    async (_name, editCase) => {
      const before = structuredClone(standIn().state()) as object;
      expect({
        result: await edit(editCase),
        violations: standIn().violations,
        requests: [...standIn().requests],
      }).toEqual({ result: { kind: 'edited' }, violations: [], requests: editCase.requests });
      const after = structuredClone(standIn().state());
      expect(after).toEqual({ ...before, ...editCase.changedState });
      expect(await edit(editCase)).toEqual({ kind: 'edited' });
      expect({ state: standIn().state(), violations: standIn().violations }).toEqual({
        state: after,
        violations: [],
      });
    },
  );

  it('returns the account of the credentials without changing anything', async () => {
    const { url, state, violations } = standIn();
    const before = structuredClone(state());
    expect(await network.adapter(http, url).check(network.credentials(url))).toEqual({
      kind: 'connected',
      ...network.account,
    });
    expect({ state: state(), violations }).toEqual({ state: before, violations: [] });
  });

  it('requires every credential that is not optional before it sends a request', async () => {
    const adapter = network.adapter(http, standIn().url);
    const valid = network.credentials(standIn().url);
    for (const { name } of credentialFieldsOf(network.network).filter(
      ({ optional }) => !optional,
    )) {
      const credentials = { ...valid, [name]: ' ' };
      const failure = {
        kind: 'failed',
        code: 'NETWORK_NOT_CONNECTED',
        message: `Missing credentials for ${network.name}: ${name}.`,
      };
      expect([
        await adapter.edit(toEdit(firstEdit, { credentials })),
        await adapter.check(credentials),
      ]).toEqual([failure, failure]);
    }
    expect(standIn().requests).toEqual([]);
    const isSecret = Object.fromEntries(
      credentialFieldsOf(network.network).map(({ name, secret }) => [name, secret]),
    );
    expect(
      Object.entries(valid)
        .filter(([, value]) => network.secrets.includes(value))
        .map(([name]) => isSecret[name]),
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
  ])('rejects %j as a post ID', async (remoteId) => {
    const adapter = network.adapter(http, standIn().url);
    expect(await adapter.edit(toEdit(firstEdit, { remoteId }))).toEqual({
      kind: 'failed',
      code: 'NETWORK_POST_UNKNOWN',
      message: `${JSON.stringify(remoteId)} is not a valid ${network.name} post ID.`,
    });
    expect(standIn().requests).toEqual([]);
  });
});
