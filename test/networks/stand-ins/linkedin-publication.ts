import { anAttachment } from '../../fixtures/posts.js';
import { NOW, standInClock } from './network-case.js';
import type { PublicationCase, PublishedCase } from './publication-case.js';
import {
  boolean,
  exactly,
  listOf,
  matching,
  text,
  type Check,
  type Schema,
} from './request-schema.js';
import type { Reply, Route } from './stand-in.js';
import { PNG } from './wordpress-server.js';

/** A post as it was sent, with its URN. */
export interface PublishedLinkedinPost {
  readonly urn: string;
  readonly sent: Record<string, any>;
}

/** What the stand-in keeps, and how it fails. */
export interface LinkedinState {
  readonly published: PublishedLinkedinPost[];
  /** URNs that refuse their content, with it: also of posts that were deleted. */
  readonly contents: Map<string, string>;
  /** Uploads by URN: their bytes, the parts of videos by ETag, and how often they were asked for. */
  readonly uploads: Record<string, { bytes: number; parts: string[]; asked: number }>;
  /** Whether new posts are left out of lists. */
  lists: 'at once' | 'never';
  /** Bytes of a part of a video. */
  partBytes: number;
  /** Whether the addresses of uploads have expired. */
  isExpired: boolean;
  /** How posts refuse files. */
  filesRefuse: 'nothing' | 'not yet';
}

export const aLinkedinState = (): LinkedinState => ({
  published: [],
  contents: new Map(),
  uploads: {},
  lists: 'at once',
  partBytes: 4_194_304,
  isExpired: false,
  filesRefuse: 'nothing',
});

/** A URN of a time: LinkedIn's numbers contain the time. */
export const urnAt = (time: Date, count: number): string =>
  `urn:li:share:${(BigInt(time.getTime()) << 22n) + BigInt(count)}`;
const ORGANIZATION = 'urn:li:organization:2414183';
const MEMBER = 'urn:li:person:782bbtaQ';

const upTo =
  (maximum: number): Check =>
  (value) =>
    typeof value === 'string' && value !== '' && value.length <= maximum
      ? null
      : `does not have 1 to ${maximum} characters`;
const urn = (kind: string): Check => matching(new RegExp(`^urn:li:(${kind}):`));
const CONTENTS: Readonly<Record<string, Schema>> = {
  media: { id: urn('image|video|document'), 'title?': upTo(400), 'altText?': upTo(4_086) },
  multiImage: { images: listOf({ id: urn('image'), 'altText?': upTo(4_086) }) },
  article: {
    source: matching(/^https?:/),
    title: upTo(400),
    'description?': text,
    'thumbnail?': urn('image'),
  },
  poll: {
    question: upTo(140),
    options: listOf({ text: upTo(30) }),
    settings: { duration: matching(/^(ONE_DAY|THREE_DAYS|SEVEN_DAYS|FOURTEEN_DAYS)$/) },
  },
};
const content: Schema = Object.fromEntries(
  Object.entries(CONTENTS).map(([kind, schema]) => [`${kind}?`, schema]),
);

/** Paths and headers of uploads: parts of videos are sent without the token. */
const UPLOADS = 'https://www.linkedin.com/dms-uploads';

/** The routes that upload files, and publish, list and delete posts. */
export function publicationRoutes(
  state: LinkedinState,
  { token, versioned }: { token: Route['headers']; versioned: Route['headers'] },
): Route[] {
  const { published, uploads, contents } = state;
  const refuse = (status: number, code: string, message: string): Reply => ({
    status,
    json: {
      message,
      status,
      errorDetailType: 'com.linkedin.common.error.BadRequest',
      errorDetails: { inputErrors: [{ code, description: message, input: {} }] },
    },
  });
  const open = (kind: string): string => {
    const opened = `urn:li:${kind}:C4${Object.keys(uploads).length}`;
    uploads[opened] = { bytes: 0, parts: [], asked: 0 };
    return opened;
  };
  const present = ({ urn: id, sent }: PublishedLinkedinPost) => ({
    id,
    author: sent['author'],
    commentary: sent['commentary'].replaceAll(/#(\w+)/g, String.raw`{hashtag|\#|$1}`),
    createdAt: standInClock.now().getTime() + 1_000,
    lastModifiedAt: standInClock.now().getTime() + 1_000,
    lifecycleState: 'PUBLISHED',
    ...(sent['content'] && { content: sent['content'] }),
  });
  return [
    {
      method: 'POST',
      path: /^\/rest\/posts$/,
      headers: versioned,
      json: {
        author: matching(new RegExp(`^(${ORGANIZATION}|${MEMBER})$`)),
        commentary: text,
        visibility: matching(/^(PUBLIC|CONNECTIONS|LOGGED_IN)$/),
        distribution: {
          feedDistribution: exactly('MAIN_FEED'),
          targetEntities: listOf(text),
          thirdPartyDistributionChannels: listOf(text),
        },
        lifecycleState: exactly('PUBLISHED'),
        isReshareDisabledByAuthor: boolean,
        'content?': content,
      },
      respond({ body }) {
        const sent = body as PublishedLinkedinPost['sent'];
        if (state.filesRefuse === 'not yet')
          return refuse(400, 'MEDIA_ASSET_WAITING_UPLOAD', 'The asset is waiting for its upload.');
        const earlier = contents.get(JSON.stringify(sent));
        if (earlier !== undefined)
          return refuse(
            422,
            'DUPLICATE_POST',
            `com.linkedin.content.common.exception.BadRequestResponseException: Content is a duplicate of ${earlier}`,
          );
        const post = { urn: urnAt(standInClock.now(), contents.size + 1), sent };
        contents.set(JSON.stringify(sent), post.urn);
        published.unshift(post);
        return { status: 201, headers: { 'x-restli-id': post.urn } };
      },
    },
    {
      method: 'GET',
      path: /^\/rest\/posts$/,
      headers: { ...versioned, 'x-restli-method': exactly('FINDER') },
      query: {
        q: exactly('author'),
        author: exactly(ORGANIZATION),
        count: exactly('100'),
        start: matching(/^\d+$/),
        sortBy: exactly('LAST_MODIFIED'),
      },
      respond: ({ query }) => ({
        status: 200,
        json: {
          elements: state.lists === 'never' || query['start'] !== '0' ? [] : published.map(present),
        },
      }),
    },
    {
      method: 'DELETE',
      path: /^\/rest\/posts\/(urn%3Ali%3Ashare%3A\d+)$/,
      headers: { ...versioned, 'x-restli-method': exactly('DELETE') },
      respond(_request, match) {
        const index = published.findIndex((post) => post.urn === decodeURIComponent(match[1]!));
        if (index !== -1) published.splice(index, 1);
        return { status: 204 };
      },
    },
    ...['image', 'document'].map((kind): Route => ({
      method: 'POST',
      path: new RegExp(`^/rest/${kind}s$`),
      headers: versioned,
      query: { action: exactly('initializeUpload') },
      json: { initializeUploadRequest: { owner: urn('person|organization') } },
      respond() {
        const opened = open(kind);
        return {
          status: 200,
          json: {
            value: {
              [kind]: opened,
              uploadUrl: `${UPLOADS}/${opened.split(':').at(-1)}/uploaded-${kind}/0?ca=vector`,
              uploadUrlExpiresAt: standInClock.now().getTime() + 60_000,
            },
          },
        };
      },
    })),
    {
      method: 'POST',
      path: /^\/rest\/videos$/,
      headers: versioned,
      query: { action: matching(/^(initialize|finalize)Upload$/) },
      json: {
        'initializeUploadRequest?': {
          owner: urn('person|organization'),
          fileSizeBytes: (value) => (Number.isInteger(value) ? null : 'is no size'),
          uploadCaptions: exactly(false),
          uploadThumbnail: exactly(false),
        },
        'finalizeUploadRequest?': {
          video: urn('video'),
          uploadToken: exactly('upload-1'),
          uploadedPartIds: listOf(text),
        },
      },
      respond({ body }) {
        const { initializeUploadRequest: begun, finalizeUploadRequest: ended } = body as any;
        if (ended) {
          const upload = uploads[ended.video]!;
          if (upload.parts.join() !== ended.uploadedPartIds.join())
            return refuse(400, 'INVALID_PARTS', 'The parts are not those that were uploaded.');
          upload.asked = 1;
          return { status: 200, json: {} };
        }
        const video = open('video');
        const size: number = begun.fileSizeBytes;
        return {
          status: 200,
          json: {
            value: {
              video,
              uploadToken: 'upload-1',
              uploadUrlsExpireAt: standInClock.now().getTime() + (state.isExpired ? -1 : 60_000),
              uploadInstructions: Array.from(
                { length: Math.ceil(size / state.partBytes) },
                (_part, index) => ({
                  uploadUrl: `${UPLOADS}/${video.split(':').at(-1)}/uploadedVideo?part=${index}`,
                  firstByte: index * state.partBytes,
                  lastByte: Math.min((index + 1) * state.partBytes, size) - 1,
                }),
              ),
            },
          },
        };
      },
    },
    {
      method: 'PUT',
      path: /^\/dms-uploads\/(\w+)\/uploaded-(image|document)\/0$/,
      headers: token,
      query: { ca: text },
      file: (bytes) => ((bytes as Buffer).length > 0 ? null : 'is empty'),
      respond({ bytes }, match) {
        uploads[`urn:li:${match[2]}:${match[1]}`]!.bytes = bytes.length;
        return { status: 201 };
      },
    },
    {
      method: 'PUT',
      path: /^\/dms-uploads\/(\w+)\/uploadedVideo$/,
      headers: {},
      query: { part: matching(/^\d+$/) },
      file: (bytes) =>
        (bytes as Buffer).length <= state.partBytes ? null : 'is larger than a part',
      respond({ bytes, query }, match) {
        const upload = uploads[`urn:li:video:${match[1]}`]!;
        upload.bytes += bytes.length;
        upload.parts[Number(query['part'])] = `etag-${query['part']}`;
        return { status: 200, headers: { ETag: `"etag-${query['part']}"` } };
      },
    },
    {
      method: 'GET',
      path: /^\/rest\/(?:image|video|document)s\/([^/]+)$/,
      headers: versioned,
      respond(_request, match) {
        const id = decodeURIComponent(match[1]!);
        const upload = uploads[id]!;
        const isWaiting = id.includes(':video:') && upload.asked === 0;
        if (!isWaiting) upload.asked += 1;
        const status = isWaiting ? 'WAITING_UPLOAD' : upload.asked < 3 ? 'PROCESSING' : 'AVAILABLE';
        return { status: 200, json: { id, status } };
      },
    },
    {
      method: 'GET',
      headers: {},
      path: /^\/elsewhere\/beans\.(png|gif|mp4|pdf)$/,
      respond: (_request, match) => ({
        status: 200,
        text: PNG,
        headers: { 'Content-Type': TYPES[match[1]!]! },
      }),
    },
  ];
}

const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  gif: 'image/gif',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
};

const [WHO, PUBLISH] = ['GET /v2/userinfo', 'POST /rest/posts'];
const distribution = {
  feedDistribution: 'MAIN_FEED',
  targetEntities: [],
  thirdPartyDistributionChannels: [],
};

/** `isPage`: of a page, which reads its posts; a member cannot. */
export function linkedinPublication(isPage: boolean): PublicationCase {
  const sent = (commentary: string, more: object = {}): object => ({
    author: isPage ? ORGANIZATION : MEMBER,
    commentary,
    visibility: 'PUBLIC',
    distribution,
    lifecycleState: 'PUBLISHED',
    isReshareDisabledByAuthor: false,
    ...more,
  });
  const who = isPage ? [] : [WHO];
  const upload = (kind: 'image' | 'document', extension: string, index = 0): string[] => [
    `GET /elsewhere/beans.${extension}`,
    `POST /rest/${kind}s`,
    `PUT /dms-uploads/C4${index}/uploaded-${kind}/0`,
  ];
  const ask = (kind: string, index = 0): string[] =>
    Array.from({ length: 3 }, () => `GET /rest/${kind}s/urn%3Ali%3A${kind}%3AC4${index}`);
  const askPage = (kind: string, index = 0): string[] => (isPage ? ask(kind, index) : []);
  const file = (
    name: string,
    type: 'photo' | 'gif' | 'document',
    [kind, extension]: ['image' | 'document', string],
    shown: object,
  ): PublishedCase => ({
    name,
    post: (url) => ({
      type,
      text: 'Beans',
      media: [
        anAttachment({
          type,
          url: `${url}/elsewhere/beans.${extension}`,
          altText: 'A bag',
          title: 'Menu',
        }),
      ],
    }),
    requests: [...who, ...upload(kind, extension), ...askPage(kind), PUBLISH!],
    published: sent('Beans', { content: { media: { id: `urn:li:${kind}:C40`, ...shown } } }),
  });
  return {
    guarantee: isPage ? 'compared' : 'cannot_tell',
    ...(!isPage && { unseen: 'repeat' }),
    live: {
      remoteId: urnAt(NOW, 1),
      url: `https://www.linkedin.com/feed/update/${urnAt(NOW, 1)}/`,
    },
    cases: [
      {
        name: 'a text with reserved characters and a hashtag',
        post: () => ({ type: 'status', text: 'Beans (new) by @roaster_one #coffee' }),
        requests: [...who, PUBLISH!],
        published: sent(String.raw`Beans \(new\) by \@roaster\_one #coffee`),
      },
      {
        name: 'a text for some readers',
        post: () => ({
          type: 'status',
          text: 'Beans',
          networkOptions: { visibility: 'LOGGED_IN' },
        }),
        requests: [...who, PUBLISH!],
        published: sent('Beans', { visibility: 'LOGGED_IN' }),
      },
      {
        name: 'a link with the picture of its preview',
        post: (url) => ({
          type: 'link',
          text: 'Read',
          url: 'https://kiosk.example/a',
          link: {
            url: 'https://kiosk.example/a',
            title: 'Title',
            originalDescription: 'About',
            defaultImage: `${url}/elsewhere/beans.png`,
          },
        }),
        requests: [...who, ...upload('image', 'png'), PUBLISH!],
        published: sent('Read', {
          content: {
            article: {
              source: 'https://kiosk.example/a',
              title: 'Title',
              description: 'About',
              thumbnail: 'urn:li:image:C40',
            },
          },
        }),
      },
      {
        name: 'a link without a preview, with a picture of its own',
        post: (url) => ({
          type: 'link',
          text: '',
          url: 'https://kiosk.example/a',
          media: [anAttachment({ url: `${url}/elsewhere/beans.png` })],
        }),
        requests: [...who, ...upload('image', 'png'), ...askPage('image'), PUBLISH!],
        published: sent('', {
          content: {
            article: {
              source: 'https://kiosk.example/a',
              title: 'https://kiosk.example/a',
              thumbnail: 'urn:li:image:C40',
            },
          },
        }),
      },
      file('a picture', 'photo', ['image', 'png'], { altText: 'A bag' }),
      file('an animation', 'gif', ['image', 'gif'], { altText: 'A bag' }),
      file('a document with its title', 'document', ['document', 'pdf'], { title: 'Menu' }),
      {
        name: 'several pictures',
        post: (url) => ({
          type: 'carousel',
          text: 'Beans',
          media: [
            anAttachment({ id: 'med_1', url: `${url}/elsewhere/beans.png`, altText: 'A bag' }),
            anAttachment({ id: 'med_2', url: `${url}/elsewhere/beans.png`, altText: null }),
          ],
        }),
        requests: [
          ...who,
          ...upload('image', 'png'),
          ...upload('image', 'png', 1),
          ...askPage('image'),
          ...askPage('image', 1),
          PUBLISH!,
        ],
        published: sent('Beans', {
          content: {
            multiImage: {
              images: [{ id: 'urn:li:image:C40', altText: 'A bag' }, { id: 'urn:li:image:C41' }],
            },
          },
        }),
      },
      {
        name: 'a video',
        post: (url) => ({
          type: 'video',
          text: 'Roasting',
          title: 'Film',
          media: [anAttachment({ type: 'video', url: `${url}/elsewhere/beans.mp4`, title: null })],
        }),
        requests: [
          ...who,
          'GET /elsewhere/beans.mp4',
          'POST /rest/videos',
          'GET /elsewhere/beans.mp4',
          'PUT /dms-uploads/C40/uploadedVideo',
          'GET /rest/videos/urn%3Ali%3Avideo%3AC40',
          'POST /rest/videos',
          ...ask('video').slice(1),
          PUBLISH!,
        ],
        published: sent('Roasting', {
          content: { media: { id: 'urn:li:video:C40', title: 'Film' } },
        }),
      },
      {
        name: 'a poll with a text of its own',
        post: () => ({
          type: 'poll',
          question: 'Which?',
          text: 'Tell us',
          options: ['Bean', 'Leaf'],
          duration: 7,
        }),
        requests: [...who, PUBLISH!],
        published: sent('Tell us', {
          content: {
            poll: {
              question: 'Which?',
              options: [{ text: 'Bean' }, { text: 'Leaf' }],
              settings: { duration: 'SEVEN_DAYS' },
            },
          },
        }),
      },
      {
        name: 'a poll whose text is the question',
        post: () => ({
          type: 'poll',
          question: null,
          text: 'Which?',
          options: ['Bean', 'Leaf'],
          duration: null,
        }),
        requests: [...who, PUBLISH!],
        published: sent('', {
          content: {
            poll: {
              question: 'Which?',
              options: [{ text: 'Bean' }, { text: 'Leaf' }],
              settings: { duration: 'ONE_DAY' },
            },
          },
        }),
      },
    ],
    published: (state) => (state as LinkedinState).published.map((post) => post.sent),
  };
}
