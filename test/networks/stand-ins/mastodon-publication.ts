import { anAttachment } from '../../fixtures/posts.js';
import type { PublicationCase } from './publication-case.js';
import { boolean, exactly, integerFrom, listOf, matching, text } from './request-schema.js';
import type { Route } from './stand-in.js';
import { PNG } from './wordpress-server.js';

/** A status that was published, as it was sent, and its ID and time. */
export interface PublishedStatus {
  id: string;
  created_at: string;
  sent: Record<string, any>;
}

const FIRST_ID = 113490000000000100;
const ACCOUNT = '109348274';
const linkTo = (url: string): string => {
  const [, scheme, rest] = /^(https?:\/\/)(.*)$/.exec(url)!;
  return `<a href="${url}" rel="nofollow"><span class="invisible">${scheme}</span><span class="">${rest}</span></a>`;
};
/** A text as HTML, as the server shows it. */
const toHtml = (status: string): string =>
  `<p>${status
    .replaceAll('&', '&amp;')
    .replaceAll("'", '&#39;')
    .replace(/https?:\/\/[^\s<]+/g, linkTo)
    .replace(
      /@(\w+)@[\w.]+/g,
      '<span class="h-card"><a href="https://x.example/@$1" class="u-url mention">@<span>$1</span></a></span>',
    )
    .replaceAll('\n\n', '</p><p>')}</p>`;

/** The routes that publish, list and delete statuses. */
export function publicationRoutes(
  state: { published: PublishedStatus[]; media: string[]; processingPolls: number },
  headers: Route['headers'],
): Route[] {
  const { published, media } = state;
  const polls = new Map<string, number>();
  const present = ({ id, created_at, sent }: PublishedStatus) => ({
    id,
    created_at,
    url: `https://mastodon.example/@kiosk/${id}`,
    content: toHtml(sent.status),
    media_attachments: (sent.media_ids ?? []).map((mediaId: string) => ({ id: mediaId })),
    poll: sent.poll
      ? { options: sent.poll.options.map((title: string) => ({ title, votes_count: 0 })) }
      : null,
  });
  const keys = new Map<string, PublishedStatus>();
  return [
    {
      method: 'POST',
      path: /^\/api\/v1\/statuses$/,
      headers: { ...headers, 'idempotency-key': matching(/^[0-9a-f]{64}$/) },
      json: {
        status: text,
        spoiler_text: text,
        sensitive: boolean,
        'visibility?': matching(/^(public|unlisted|private|direct)$/),
        'language?': matching(/^[a-z]{2,3}$/),
        'media_ids?': listOf(text),
        'poll?': { options: listOf(text), expires_in: integerFrom(300) },
      },
      respond({ body, headers: { 'idempotency-key': key } }) {
        const earlier = keys.get(key!);
        if (earlier && published.includes(earlier)) return { status: 200, json: present(earlier) };
        const status = {
          id: String(FIRST_ID + 100 * (published.length + 1)),
          created_at: '2026-11-21T08:00:01.000Z',
          sent: body as Record<string, any>,
        };
        keys.set(key!, status);
        published.unshift(status);
        return { status: 200, json: present(status) };
      },
    },
    {
      method: 'GET',
      path: new RegExp(`^/api/v1/accounts/${ACCOUNT}/statuses$`),
      headers,
      query: { limit: matching(/^(1|40)$/), exclude_reblogs: exactly('true') },
      respond: ({ query }) => ({
        status: 200,
        json: published.slice(0, Number(query.limit)).map(present),
      }),
    },
    {
      method: 'DELETE',
      path: /^\/api\/v1\/statuses\/(\d+)$/,
      headers,
      respond(_request, match) {
        const index = published.findIndex(({ id }) => id === match[1]);
        if (index === -1) return { status: 404, json: { error: 'Record not found' } };
        const [status] = published.splice(index, 1);
        return { status: 200, json: present(status!) };
      },
    },
    {
      method: 'POST',
      path: /^\/api\/v2\/media$/,
      headers,
      file: (bytes) => {
        const body = (bytes as Buffer).toString('latin1');
        return body.includes(PNG.toString('latin1')) &&
          /name="file"; filename="[^"]+"\r\nContent-Type: image\/png/.test(body)
          ? null
          : 'is not the expected picture';
      },
      respond({ bytes }) {
        const alt = /name="description"\r\n\r\n([^\r]*)/.exec(bytes.toString())?.[1] ?? '';
        media.push(alt);
        // Large files are processed later.
        return { status: 202, json: { id: String(70 + media.length), type: 'image', url: null } };
      },
    },
    {
      method: 'GET',
      path: /^\/api\/v1\/media\/(\d+)$/,
      headers,
      respond(_request, match) {
        const id = match[1]!;
        const asked = (polls.get(id) ?? 0) + 1;
        polls.set(id, asked);
        const isProcessed = asked >= state.processingPolls;
        const url = isProcessed ? 'https://files.example/x.png' : null;
        return { status: isProcessed ? 200 : 206, json: { id, type: 'image', url } };
      },
    },
    {
      method: 'GET',
      headers: {},
      path: /^\/elsewhere\/beans\.png$/,
      respond: () => ({ status: 200, text: PNG, headers: { 'Content-Type': 'image/png' } }),
    },
  ];
}

const PREPARE = [
  'GET /api/v1/accounts/verify_credentials',
  `GET /api/v1/accounts/${ACCOUNT}/statuses`,
];
const PUBLISH = 'POST /api/v1/statuses';

export const mastodonPublication: PublicationCase = {
  guarantee: 'compared',
  live: {
    remoteId: String(FIRST_ID + 100),
    url: `https://mastodon.example/@kiosk/${FIRST_ID + 100}`,
  },
  cases: [
    {
      name: 'a text that the server changes when it shows it',
      post: () => ({
        type: 'status',
        text: "Ada's “beans” & more: @roaster@other.example\n\nhttps://kiosk.example/a?b=1&c=2 #Coffee",
      }),
      requests: [...PREPARE, PUBLISH],
      published: {
        status:
          "Ada's “beans” & more: @roaster@other.example\n\nhttps://kiosk.example/a?b=1&c=2 #Coffee",
        spoiler_text: '',
        sensitive: false,
      },
    },
    {
      name: 'a link after the text, with its settings',
      post: () => ({
        type: 'link',
        text: 'Read',
        url: 'https://kiosk.example/a',
        title: 'Spoiler',
        details: { language: 'de' },
        networkOptions: { visibility: 'unlisted', sensitive: true },
      }),
      requests: [...PREPARE, PUBLISH],
      published: {
        status: 'Read\n\nhttps://kiosk.example/a',
        spoiler_text: 'Spoiler',
        sensitive: true,
        visibility: 'unlisted',
        language: 'de',
      },
    },
    {
      name: 'a picture with its description, which the server processes first',
      post: (url) => ({
        type: 'photo',
        text: '',
        media: [anAttachment({ url: `${url}/elsewhere/beans.png`, altText: 'Beans' })],
      }),
      requests: [
        ...PREPARE,
        'GET /elsewhere/beans.png',
        'POST /api/v2/media',
        'GET /api/v1/media/71',
        PUBLISH,
      ],
      published: { status: '', spoiler_text: '', sensitive: false, media_ids: ['71'] },
    },
    {
      name: 'a poll',
      post: () => ({
        type: 'poll',
        question: 'Which?',
        text: '',
        options: ['Bean', 'Leaf'],
        duration: 3,
      }),
      requests: [...PREPARE, PUBLISH],
      published: {
        status: 'Which?',
        spoiler_text: '',
        sensitive: false,
        poll: { options: ['Bean', 'Leaf'], expires_in: 259_200 },
      },
    },
  ],
  published: (state) =>
    (state as { published: PublishedStatus[] }).published.map(({ sent }) => sent),
};
