import { createTwitter } from '../../../src/networks/twitter/twitter.js';
import { anAttachment } from '../../fixtures/posts.js';
import { standInClock, type NetworkCase } from './network-case.js';
import { reaching } from './official-hosts.js';
import { boolean, exactly, integerFrom, listOf, matching, text } from './request-schema.js';
import { startStandIn, type Reply } from './stand-in.js';
import { PNG } from './wordpress-server.js';

const TOKEN = 'x-access-token';
const headers = { authorization: exactly(`Bearer ${TOKEN}`) };
const ID = /^\d{1,19}$/;

/** A file, as far as it was uploaded. */
interface Upload {
  readonly id: string;
  readonly category: string;
  readonly total: number;
  /** Bytes of each piece. */
  readonly pieces: number[];
  altText?: string;
  finalized: boolean;
  /** How often its status was asked for. */
  asked: number;
}
interface Tweet {
  readonly id: string;
  readonly createdAt: string;
  readonly sent: Record<string, any>;
}

/** X. Tests change it to make it fail as the network does. */
export interface TwitterState {
  uploads: Upload[];
  /** Newest first. */
  tweets: Tweet[];
  /** How often it is asked for a video until that is processed, and what it says then. */
  processingPolls: number;
  outcome: 'succeeded' | 'failed';
  /** Posts that the list does not show yet. */
  lagging: number;
  /** The answer to a post, and whether it is taken nevertheless. */
  publishFault: { readonly reply: Reply; readonly takes: boolean } | null;
}
export const aTwitterState = (): TwitterState => ({
  uploads: [],
  tweets: [],
  processingPolls: 2,
  outcome: 'succeeded',
  lagging: 0,
  publishFault: null,
});

export const problem = (status: number, detail: string, type = 'about:blank'): Reply => ({
  status,
  json: { title: 'Problem', detail, type, status },
});

/** Links are shortened, and signs escaped, as X shows them. */
function present({ id, createdAt, sent }: Tweet) {
  const files: string[] = sent.media?.media_ids ?? [];
  const links = [...((sent.text ?? '') as string).matchAll(/https?:\/\/\S+/g)].map(([url]) => url);
  const shown = links.reduce(
    (all, url, index) => all.replace(url, `https://t.co/${index}`),
    String(sent.text ?? ''),
  );
  const own = files.length > 0 ? [{ url: 'https://t.co/own', media_key: `3_${files[0]}` }] : [];
  return {
    id,
    created_at: createdAt,
    text:
      shown.replaceAll('&', '&amp;').replaceAll('<', '&lt;') +
      (files.length > 0 ? ' https://t.co/own' : ''),
    entities: {
      urls: [
        ...links.map((url, index) => ({ url: `https://t.co/${index}`, expanded_url: url })),
        ...own,
      ],
    },
    attachments: {
      ...(files.length > 0 && { media_keys: files.map((file) => `3_${file}`) }),
      ...(sent.poll && { poll_ids: [`9${id}`] }),
    },
  };
}

const pieceOf = (bytes: Buffer): { index: number; size: number } | null => {
  const body = bytes.toString('latin1');
  const index = /name="segment_index"\r\n\r\n(\d+)\r\n/.exec(body);
  const file = /name="media"; filename="[^"]+"\r\nContent-Type: [\w/]+\r\n\r\n/.exec(body);
  if (!index || !file) return null;
  return {
    index: Number(index[1]),
    size: body.lastIndexOf('\r\n--') - (file.index + file[0].length),
  };
};

export const startTwitter = async (state: TwitterState) => {
  const uploadOf = (id: string | undefined): Upload | undefined =>
    state.uploads.find((one) => one.id === id);
  const isProcessed = ({ category, asked }: Upload): boolean =>
    category === 'tweet_image' || asked >= state.processingPolls;
  const standIn = await startStandIn(
    [
      {
        method: 'POST',
        path: /^\/2\/media\/upload\/initialize$/,
        headers,
        json: {
          media_type: matching(/^(image\/(jpeg|png|webp|gif)|video\/(mp4|quicktime))$/),
          total_bytes: integerFrom(1),
          media_category: matching(/^tweet_(image|gif|video)$/),
        },
        respond({ body }) {
          const { total_bytes: total, media_category: category } = body as Record<string, any>;
          const id = String(710 + state.uploads.length + 1);
          state.uploads.push({ id, category, total, pieces: [], finalized: false, asked: 0 });
          return { status: 200, json: { data: { id, media_key: `3_${id}` } } };
        },
      },
      {
        method: 'POST',
        path: /^\/2\/media\/upload\/(\d+)\/append$/,
        headers,
        file: (bytes) => (pieceOf(bytes as Buffer) ? null : 'is not a form with a piece'),
        respond({ bytes }, match) {
          const upload = uploadOf(match[1]);
          const piece = pieceOf(bytes)!;
          if (!upload || upload.finalized || piece.size > 5 * 1_048_576)
            return problem(400, 'Invalid piece');
          upload.pieces[piece.index] = piece.size;
          return { status: 200, json: { data: { expires_at: 1 } } };
        },
      },
      {
        method: 'POST',
        path: /^\/2\/media\/upload\/(\d+)\/finalize$/,
        headers,
        respond(_request, match) {
          const upload = uploadOf(match[1]);
          const received = upload?.pieces.reduce((sum, size) => sum + size, 0);
          if (!upload || received !== upload.total) return problem(400, 'Pieces are missing');
          upload.finalized = true;
          return {
            status: 200,
            json: {
              data: {
                id: upload.id,
                ...(!isProcessed(upload) && {
                  processing_info: { state: 'pending', check_after_secs: 1 },
                }),
              },
            },
          };
        },
      },
      {
        method: 'GET',
        path: /^\/2\/media\/upload$/,
        headers,
        query: { command: exactly('STATUS'), media_id: matching(ID) },
        respond({ query }) {
          const upload = uploadOf(query.media_id);
          if (!upload?.finalized) return problem(404, 'No such file');
          upload.asked += 1;
          const processing = isProcessed(upload)
            ? { state: state.outcome }
            : { state: 'in_progress', check_after_secs: 3 };
          return { status: 200, json: { data: { id: upload.id, processing_info: processing } } };
        },
      },
      {
        method: 'POST',
        path: /^\/2\/media\/metadata$/,
        headers,
        json: { id: matching(ID), metadata: { alt_text: { text } } },
        respond({ body }) {
          const { id, metadata } = body as Record<string, any>;
          uploadOf(id)!.altText = metadata.alt_text.text;
          return { status: 200, json: { data: { id } } };
        },
      },
      {
        method: 'POST',
        path: /^\/2\/tweets$/,
        headers,
        json: {
          'text?': text,
          'media?': { media_ids: listOf(matching(ID)) },
          'poll?': { options: listOf(text), duration_minutes: integerFrom(5) },
          'reply_settings?': matching(/^(following|mentionedUsers|subscribers|verified)$/),
          'paid_partnership?': boolean,
        },
        respond({ body }) {
          const sent = body as Record<string, any>;
          const ids: string[] = sent.media?.media_ids ?? [];
          if (ids.some((id) => !uploadOf(id)?.finalized || !isProcessed(uploadOf(id)!)))
            return problem(400, 'Your media IDs are invalid.');
          const fault = state.publishFault;
          if (fault && !fault.takes) return fault.reply;
          const id = String(1_001 + state.tweets.length);
          state.tweets.unshift({ id, createdAt: standInClock.now().toISOString(), sent });
          return fault?.reply ?? { status: 201, json: { data: { id, text: sent.text ?? '' } } };
        },
      },
      {
        method: 'GET',
        path: /^\/2\/users\/1\/tweets$/,
        headers,
        query: {
          start_time: matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
          max_results: exactly('20'),
          expansions: exactly('attachments.media_keys,attachments.poll_ids'),
          'tweet.fields': exactly('attachments,created_at,entities,note_tweet'),
        },
        respond({ query }) {
          const found = state.tweets
            .slice(state.lagging)
            .filter(({ createdAt }) => createdAt >= query.start_time!);
          const data = found.slice(0, 20).map(present);
          return {
            status: 200,
            json: {
              ...(data.length > 0 && { data }),
              meta: {
                result_count: data.length,
                ...(found.length > 20 && { next_token: 'next' }),
              },
            },
          };
        },
      },
      {
        method: 'DELETE',
        path: /^\/2\/tweets\/(\d+)$/,
        headers,
        respond(_request, match) {
          state.tweets = state.tweets.filter(({ id }) => id !== match[1]);
          return { status: 200, json: { data: { deleted: true } } };
        },
      },
      {
        method: 'GET',
        path: /^\/2\/users\/me$/,
        headers,
        query: { 'user.fields': exactly('profile_image_url') },
        respond: () => ({
          status: 200,
          json: {
            data: {
              id: '1',
              name: 'Kiosk',
              username: 'kiosk',
              profile_image_url: 'https://media.example/kiosk.jpg',
            },
          },
        }),
      },
      {
        method: 'GET',
        headers: {},
        path: /^\/elsewhere\/.*$/,
        respond({ path }) {
          const type = path.endsWith('.mp4') ? 'video/mp4' : 'image/png';
          return { status: 200, text: PNG, headers: { 'Content-Type': type } };
        },
      },
    ],
    twitterCase.errorBody,
  );
  return { ...standIn, state: () => state };
};

const CREATE = 'POST /2/tweets';
const STATUS = 'GET /2/media/upload';
const start = (path: string): string[] => [
  `GET /elsewhere/${path}`,
  'POST /2/media/upload/initialize',
];
const upload = (path: string, id: number): string[] => [
  ...start(path),
  `GET /elsewhere/${path}`,
  `POST /2/media/upload/${id}/append`,
  `POST /2/media/upload/${id}/finalize`,
];

export const twitterCase: NetworkCase = {
  network: 'twitter',
  name: 'X',
  remoteId: '1001',
  secrets: [TOKEN],
  account: {
    socialId: '1',
    name: '@kiosk',
    type: 'profile',
    picture: 'https://media.example/kiosk.jpg',
  },
  edits: [],
  publication: {
    guarantee: 'compared',
    live: { remoteId: '1001', url: 'https://x.com/i/web/status/1001' },
    cases: [
      {
        name: 'a text that X changes when it shows it, with its settings',
        post: () => ({
          type: 'status',
          text: 'Beans & <more>: https://kiosk.example/a?b=1&c=2 “today”',
          networkOptions: { replySettings: 'mentionedUsers' },
          details: { paid: true },
        }),
        requests: [CREATE],
        published: {
          text: 'Beans & <more>: https://kiosk.example/a?b=1&c=2 “today”',
          reply_settings: 'mentionedUsers',
          paid_partnership: true,
        },
      },
      {
        name: 'a link after the text, to which everyone may reply',
        post: () => ({
          type: 'link',
          text: 'Read',
          url: 'https://kiosk.example/a',
          networkOptions: { replySettings: 'everyone' },
        }),
        requests: [CREATE],
        published: { text: 'Read\n\nhttps://kiosk.example/a' },
      },
      {
        name: 'photos, one with its description',
        post: (url) => ({
          type: 'photo',
          text: '',
          media: [
            anAttachment({ url: `${url}/elsewhere/a.png`, altText: 'Beans' }),
            anAttachment({ url: `${url}/elsewhere/b.png` }),
          ],
        }),
        requests: [
          ...upload('a.png', 711),
          'POST /2/media/metadata',
          ...upload('b.png', 712),
          CREATE,
        ],
        published: { media: { media_ids: ['711', '712'] } },
      },
      {
        name: 'a video that X processes first',
        post: (url) => ({
          type: 'video',
          text: 'Roasting',
          media: [anAttachment({ type: 'video', url: `${url}/elsewhere/a.mp4`, altText: 'Film' })],
        }),
        requests: [...upload('a.mp4', 711), STATUS, STATUS, CREATE],
        published: { text: 'Roasting', media: { media_ids: ['711'] } },
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
        requests: [CREATE],
        published: {
          text: 'Which?',
          poll: { options: ['Bean', 'Leaf'], duration_minutes: 4_320 },
        },
      },
    ],
    published: (state) => (state as TwitterState).tweets.map(({ sent }) => sent),
  },
  errorBody: (status, message) => ({
    title: 'Problem',
    detail: message,
    type: 'about:blank',
    status,
  }),
  start: () => startTwitter(aTwitterState()),
  adapter: (http, url) => createTwitter(reaching(http, url)),
  credentials: () => ({ accessToken: TOKEN }),
};
