import { toLittleText } from '../../src/networks/linkedin/linkedin-api.js';
import type { PreparedPost, SentPost } from '../../src/services/networks/network-ports.js';
import { stepAfterPublishing } from '../../src/domain/publishing/publication-failures.js';
import { timeOfUrn } from '../../src/networks/linkedin/post-publisher.js';
import { aPost, anAttachment } from '../fixtures/posts.js';
import { NOW, type NetworkCase, type NetworkStandIn } from './stand-ins/network-case.js';
import type { LinkedinState } from './stand-ins/linkedin-publication.js';
import { urnAt } from './stand-ins/linkedin-publication.js';
import { editOn, createTestHttpClient, outcomeOf } from './stand-ins/edit-requests.js';
import { linkedinCase, linkedinPageCase } from './stand-ins/linkedin.js';

const http = createTestHttpClient();

it.each([
  ['plain words, 1 + 1 = 2!', 'plain words, 1 + 1 = 2!'],
  ['#coffee and #Röst2 (#new)', String.raw`#coffee and #Röst2 \(#new\)`],
  ['C# and # and ## and a#b', String.raw`C\# and \# and \#\# and a\#b`],
  ['#two_words', String.raw`#two\_words`],
  ['https://kiosk.example/a_b?c=d#e', String.raw`https://kiosk.example/a\_b?c=d\#e`],
  [String.raw`\ | { } @ [ ] ( ) < > * _ ~`, String.raw`\\ \| \{ \} \@ \[ \] \( \) \< \> \* \_ \~`],
  [
    '@[Devtestco](urn:li:organization:2414183)',
    String.raw`\@\[Devtestco\]\(urn:li:organization:2414183\)`,
  ],
])('escapes %j as little text', (text, little) => {
  expect(toLittleText(text)).toBe(little);
});

it('connects a page by its organization ID', async () => {
  const standIn = await linkedinCase.start();
  const checked = await linkedinCase
    .adapter(http, standIn.url)
    .check({ ...linkedinCase.credentials(standIn.url), organization: '2414183' });
  expect({ checked, complaints: standIn.violations }).toEqual({
    checked: {
      kind: 'connected',
      socialId: 'urn:li:organization:2414183',
      name: 'Kiosk',
      type: 'page',
      picture: null,
    },
    complaints: [],
  });
  await standIn.close();
});

it('names the setting to change when the API version is retired', async () => {
  const standIn = await linkedinCase.start();
  standIn.injectFault(0, {
    status: 426,
    json: {
      status: 426,
      code: 'NONEXISTENT_VERSION',
      message: 'Requested version 20260901 is not active',
    },
  });
  expect(outcomeOf(await editOn(http, linkedinCase, standIn)({ text: 'New' }, 'text'))).toEqual([
    'NETWORK_REFUSED',
    'LinkedIn rejected the change (426): Requested version 20260901 is not active (set LINKEDIN_VERSION to an active version).',
  ]);
  await standIn.close();
});

describe('publishing', () => {
  let standIn: NetworkStandIn;
  beforeEach(async () => {
    standIn = await linkedinCase.start();
  });
  afterEach(() => standIn.close());
  const state = () => standIn.state() as LinkedinState;

  const account = { ...aPost().account!, network: 'linkedin' as const };
  const on = (network: NetworkCase) => ({
    publisher: network.adapter(http, standIn.url).publisher!,
    target: (post: object) => ({
      account,
      credentials: network.credentials(standIn.url),
      post: aPost({ network: 'linkedin', account, scheduledAt: NOW, ...post }),
    }),
  });
  async function prepare(post: object, network = linkedinPageCase): Promise<SentPost> {
    const { publisher, target } = on(network);
    let prepared = await publisher.prepare(target(post));
    while (prepared.kind === 'preparing')
      prepared = await publisher.prepare(target(post), prepared.handle);
    return { ...target(post), handle: (prepared as PreparedPost).handle, sentAt: NOW };
  }
  const publish = (sent: SentPost) => on(linkedinPageCase).publisher.publish(sent);
  const look = (sent: SentPost) => on(linkedinPageCase).publisher.look(sent);
  const TEXT = { type: 'status', text: 'Beans' };
  const video = (path = 'beans.mp4') => ({
    type: 'video',
    text: '',
    media: [anAttachment({ type: 'video', url: `${standIn.url}/elsewhere/${path}` })],
  });

  it.each([
    ['6592046682882531328', '2019-10-21T14:00:03'],
    ['7141138937766391808', '2023-12-14'],
    ['7503082649293471744', '2026-09-08'],
  ])('reads the time of the number %s', (number, time) => {
    expect(new Date(timeOfUrn(`urn:li:share:${number}`)).toISOString()).toContain(time);
  });

  it('has published a post that LinkedIn calls a duplicate of itself', async () => {
    const sent = await prepare(TEXT, linkedinCase);
    const live = await publish(sent);
    expect(await publish(sent)).toEqual(live);
    expect(state().published).toHaveLength(1);
  });

  it('refuses a duplicate of a post from before the attempt, which may be deleted', async () => {
    const sent = await prepare(TEXT, linkedinCase);
    await publish(sent);
    const earlier = urnAt(new Date(NOW.getTime() - 120_000), 1);
    for (const content of state().contents.keys()) state().contents.set(content, earlier);
    const failure = await publish(sent);
    expect(failure).toEqual({
      kind: 'failed',
      code: 'NETWORK_DUPLICATE',
      message: expect.stringContaining(`a duplicate of ${earlier}.`),
      isUnsent: true,
    });
    expect(stepAfterPublishing(failure as Extract<typeof failure, { kind: 'failed' }>)).toBe(
      'fail',
    );
  });

  it('tries again later if LinkedIn still waits for a file', async () => {
    const sent = await prepare(video());
    state().filesRefuse = 'not yet';
    const failure = await publish(sent);
    expect(failure).toMatchObject({ code: 'NETWORK_UNAVAILABLE', isUnsent: true });
    expect(stepAfterPublishing(failure as Extract<typeof failure, { kind: 'failed' }>)).toBe(
      'retry',
    );
  });

  it('sends a video in parts, and none twice after an interruption', async () => {
    state().partBytes = 1;
    const { publisher, target } = on(linkedinPageCase);
    const handles: Readonly<Record<string, string>>[] = [];
    let prepared = await publisher.prepare(target(video()));
    while (prepared.kind === 'preparing') {
      handles.push(prepared.handle);
      prepared = await publisher.prepare(target(video()), prepared.handle);
    }
    const { bytes, parts } = state().uploads['urn:li:video:C40']!;
    expect(standIn.requests.filter((request) => request.startsWith('PUT'))).toHaveLength(
      parts.length,
    );
    expect(bytes).toBe(parts.length);
    // four parts a call, after which the progress is stored
    expect(JSON.parse(handles[1]!['upload']!).etags).toHaveLength(4);
    expect(standIn.violations).toEqual([]);
  });

  it('begins an upload anew whose addresses have expired', async () => {
    const { publisher, target } = on(linkedinPageCase);
    state().isExpired = true;
    const begun = (await publisher.prepare(target(video()))) as { handle: SentPost['handle'] };
    state().isExpired = false;
    const again = (await publisher.prepare(target(video()), begun.handle)) as typeof begun;
    expect(JSON.parse(again.handle['upload']!)).toMatchObject({ video: 'urn:li:video:C41' });
  });

  it('takes no other post for the one that was sent', async () => {
    const photo = {
      type: 'photo',
      text: 'Beans',
      media: [anAttachment({ url: `${standIn.url}/elsewhere/beans.png` })],
    };
    const sent = await prepare(photo);
    await publish(await prepare(TEXT));
    await publish(await prepare(photo));
    expect(await look(sent)).toEqual({ kind: 'not_there' });
    const live = await publish(sent);
    expect(await look(sent)).toEqual(live);
  });

  const listed = (count: number, changedAt: number) => ({
    status: 200,
    json: {
      elements: Array.from({ length: count }, (_post, index) => ({
        id: urnAt(NOW, index),
        commentary: 'Other',
        createdAt: NOW.getTime(),
        lastModifiedAt: changedAt,
      })),
    },
  });
  it.each([
    ['ends', listed(99, NOW.getTime()), 1],
    ['goes on with posts from before', listed(100, NOW.getTime() - 600_000), 1],
    ['goes on', listed(100, NOW.getTime()), 2],
  ])('reads a list that %s', async (_name, page, requests) => {
    const sent = await prepare(TEXT);
    standIn.injectFault(0, page);
    expect(await look(sent)).toEqual({ kind: 'not_there' });
    expect(standIn.requests).toHaveLength(requests);
  });

  it('sends no file to a host that is not of LinkedIn', async () => {
    const { publisher, target } = on(linkedinPageCase);
    const photo = {
      type: 'photo',
      media: [anAttachment({ url: `${standIn.url}/elsewhere/beans.png` })],
    };
    standIn.injectFault(1, {
      status: 200,
      json: { value: { image: 'urn:li:image:C1', uploadUrl: 'https://linkedin.com.example/x' } },
    });
    expect(await publisher.prepare(target(photo))).toMatchObject({
      code: 'NETWORK_UNAVAILABLE',
      message: expect.stringContaining('no upload address on a host of the network'),
    });
  });
});
