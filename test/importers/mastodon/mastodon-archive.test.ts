import { readFileSync } from 'node:fs';
import path from 'node:path';
import { outcomesOf, postsOf } from './read-outbox.js';

describe('an archive', () => {
  const archive = readFileSync(path.join(__dirname, '../../fixtures/mastodon-outbox.json'));
  const server = 'https://pottery.example';
  const plain = {
    source: 'pottery.example/users/mira',
    storedState: 'published_posted',
    title: null,
    excerpt: null,
    url: null,
    categories: [],
    tags: [],
    labels: [],
    language: 'de',
    poll: null,
    media: [],
    featuredMedia: null,
    engagement: { likes: 0, comments: null, shares: 0, pollVotes: null },
    content: [],
  };
  const expected = (number: string, at: string, fields: object): object => ({
    ...plain,
    sourceId: `${server}/users/mira/statuses/${number}`,
    remoteId: number,
    postLink: `${server}/@mira/${number}`,
    scheduledAt: new Date(at),
    createdAt: new Date(at),
    updatedAt: new Date(at),
    ...fields,
  });
  const file = (name: string, type: string, altText: string | null): object => ({
    url: `${server}${name}`,
    type,
    altText,
    title: null,
    caption: null,
  });

  it('is converted to posts', async () => {
    expect(await postsOf(archive)).toEqual([
      expected('109500000000000001', '2023-01-14T18:05:11Z', {
        type: 'status',
        engagement: { likes: 12, comments: null, shares: 3, pollVotes: null },
        text: 'Erster Brand im neuen Ofen. Kegel 6, langsam gekühlt.\n\nAlles dazu:\nhttps://www.pottery.example/werkstatt/brennprotokoll-2023-01-14?ofen=neu&kegel=6\n\n#Keramik #Töpfern',
      }),
      expected('109500000000000003', '2023-01-16T20:30:00Z', {
        type: 'photo',
        title: 'Zerbrochenes (nicht schlimm) & <ärgerlich>',
        text: 'Ein Riss, so lang wie mein Daumen. <seufz> :blobcatsad:',
        media: [
          file(
            '/media_attachments/files/109/500/000/000/000/003/original/riss.jpg',
            'photo',
            'Eine Schale mit einem feinen Riss vom Rand zum Boden',
          ),
          file(
            '/media_attachments/files/109/500/000/000/000/004/original/boden.jpg',
            'photo',
            null,
          ),
        ],
      }),
      expected('109500000000000005', '2023-02-01T09:00:00Z', {
        type: 'poll',
        text: 'Which glaze for the spring set?',
        language: 'en',
        poll: { options: ['Celadon', 'Tenmoku', '志野'], duration: 3 },
        engagement: { likes: 4, comments: null, shares: 0, pollVotes: [31, 12, 20] },
      }),
      expected('109500000000000006', '2023-02-02T10:00:00Z', {
        type: 'status',
        language: 'ja',
        labels: ['reply', 'unlisted'],
        text: '@jun@clay.example @ola はい、備前の土です。\n\n写真はあとで！',
      }),
      expected('109500000000000008', '2023-03-03T10:00:00Z', {
        type: 'status',
        labels: ['followers only'],
        text: 'Umzug der Werkstatt im Mai. Erst einmal nur hier.',
        updatedAt: new Date('2023-03-04T11:30:00Z'),
        engagement: { likes: 2, comments: null, shares: 0, pollVotes: null },
      }),
      expected('109500000000000009', '2023-04-01T12:00:00Z', {
        type: 'video',
        text: '',
        language: 'en',
        media: [
          file(
            '/system/media_attachments/files/109/500/000/000/000/009/original/wheel.mp4',
            'video',
            'A bowl is thrown on the wheel, seen from above',
          ),
        ],
      }),
      expected('109500000000000011', '2023-05-05T05:05:05Z', {
        type: 'link',
        url: 'https://clay.example/users/jun/statuses/109500000000000060',
        text: 'Genau so. Слава гончарам! مرحبا 👩🏽‍🎨',
      }),
      expected('109500000000000012', '2023-06-01T10:00:00Z', {
        type: 'poll',
        text: 'Mehrere gehen auch:',
        poll: { options: ['Tassen', 'Teller'], duration: 1 },
        engagement: { likes: 0, comments: null, shares: 0, pollVotes: [0, 0] },
      }),
    ]);
  });

  it('has boosts, deletions and direct messages, which are skipped with a reason', async () => {
    expect((await outcomesOf(archive)).filter(({ kind }) => kind !== 'post')).toEqual([
      {
        kind: 'skipped',
        reason: 'boost',
        sourceId: `${server}/users/mira/statuses/109500000000000002/activity`,
        postType: 'Announce',
        title: 'https://clay.example/users/jun/statuses/109499999999999999',
      },
      {
        kind: 'skipped',
        reason: 'direct',
        sourceId: `${server}/users/mira/statuses/109500000000000007/activity`,
        postType: 'Create',
        title: `${server}/users/mira/statuses/109500000000000007`,
      },
      {
        kind: 'skipped',
        reason: 'deletion',
        sourceId: `${server}/users/mira#delete/109500000000000010`,
        postType: 'Delete',
        title: `${server}/users/mira/statuses/109500000000000010`,
      },
    ]);
  });

  it('is read the same with any chunk size, even if multi-byte characters are split', async () => {
    const whole = await outcomesOf(archive);
    for (const chunk of [1, 2, 3, 61, 4_096])
      expect(await outcomesOf(archive, { chunk })).toEqual(whole);
  });
});
