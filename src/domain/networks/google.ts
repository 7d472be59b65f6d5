import { zoneOffset } from '../calendar/zone-time.js';
import { codePoints, hasVisibleText, isDate } from '../input/readers.js';
import { MEGABYTE } from '../media/media-content.js';
import {
  dailyCap,
  LABELS,
  mediaLimits,
  onNetwork,
  textLimit,
  type CredentialRule,
  type NetworkDefinition,
  type PostContent,
} from './network-definition.js';

/**
 * Credentials of a Google account: the user's refresh token, and the OAuth client that it was
 * granted to.
 */
export const googleCredentials = (app: 'GOOGLE' | 'YOUTUBE') =>
  ({
    clientId: {
      description: `OAuth client ID. If empty, that of ${app}_CLIENT_ID.`,
      secret: false,
      optional: true,
    },
    clientSecret: {
      description: `OAuth client secret. If empty, that of ${app}_CLIENT_SECRET.`,
      secret: true,
      optional: true,
    },
    refreshToken: {
      description: 'Refresh token that the user granted to this client, with offline access.',
      secret: true,
    },
  }) as const satisfies Readonly<Record<string, CredentialRule>>;

/** Google's page asks for a refresh token only with these parameters. */
export const GOOGLE_OAUTH = {
  authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  authorizeParams: { access_type: 'offline', prompt: 'consent' },
  tokenUrl: 'https://oauth2.googleapis.com/token',
  issuer: 'https://accounts.google.com',
  scopeSeparator: ' ',
  pkce: true,
  client: 'form',
  renewal: { by: 'use' },
} as const;

/** The buttons of a post. `CALL` dials the number of the location, the others open the link. */
const ACTIONS = ['BOOK', 'ORDER', 'SHOP', 'LEARN_MORE', 'SIGN_UP', 'CALL'] as const;
const DEFAULT_ACTION = 'LEARN_MORE';
const MAX_EVENT_TITLE = 58;

/** What a post is about: `details.type` says whether it is an event or an offer. */
export function topicOf({ details }: Pick<PostContent, 'details'>): 'STANDARD' | 'EVENT' | 'OFFER' {
  if (details?.type === 'event') return 'EVENT';
  return details?.type === 'offer' ? 'OFFER' : 'STANDARD';
}
const isStandard = (post: PostContent): boolean => topicOf(post) === 'STANDARD';

/** The button that a post asks for, in Google's spelling; null if it asks for none. */
function requestedAction({ link }: Pick<PostContent, 'link'>): string | null {
  const action = link?.callToAction;
  return hasVisibleText(action) ? action!.trim().toUpperCase() : null;
}

function hasValidAction(post: PostContent): boolean {
  const action = requestedAction(post);
  if (action === null) return true;
  return (
    topicOf(post) !== 'OFFER' &&
    (ACTIONS as readonly string[]).includes(action) &&
    hasVisibleText(post.url) !== (action === 'CALL')
  );
}

const timeOfDay = (hours: number, minutes: number) => ({ hours, minutes, seconds: 0, nanos: 0 });

/** A date, or a time on the clocks of the zone, as Google takes them: without a zone. */
function localTime(value: string, zone: string, ofDate: ReturnType<typeof timeOfDay>) {
  const instant = Date.parse(value);
  const wall = new Date(isDate(value) ? instant : instant + zoneOffset(instant, zone));
  return {
    date: { year: wall.getUTCFullYear(), month: wall.getUTCMonth() + 1, day: wall.getUTCDate() },
    time: isDate(value) ? ofDate : timeOfDay(wall.getUTCHours(), wall.getUTCMinutes()),
  };
}

/** The event of a post that has a title, a start and an end. Whole days last until 23:59. */
function eventOf({ details }: PostContent, zone: string): object {
  const start = localTime(details!.start!, zone, timeOfDay(0, 0));
  const end = localTime(details!.end!, zone, timeOfDay(23, 59));
  return {
    title: details!.title,
    schedule: {
      startDate: start.date,
      startTime: start.time,
      endDate: end.date,
      endTime: end.time,
    },
  };
}

function offerOf({ details, url }: PostContent): object {
  return {
    ...(details?.coupon && { couponCode: details.coupon }),
    ...(url && { redeemOnlineUrl: url }),
    ...(details?.terms && { termsConditions: details.terms }),
  };
}

function buttonOf(post: PostContent): object | null {
  const action = requestedAction(post) ?? (post.url ? DEFAULT_ACTION : null);
  if (action === null) return null;
  return { actionType: action, ...(action !== 'CALL' && { url: post.url }) };
}

/** A post as Google gets it. `zone`: in which its event takes place. */
export function localPostOf(post: PostContent, zone: string): object {
  const topicType = topicOf(post);
  const [picture] = post.media;
  const button = topicType === 'OFFER' ? null : buttonOf(post);
  return {
    topicType,
    summary: post.text,
    ...(post.details?.language && { languageCode: post.details.language }),
    ...(topicType !== 'STANDARD' && { event: eventOf(post, zone) }),
    ...(topicType === 'OFFER' && { offer: offerOf(post) }),
    ...(button && { callToAction: button }),
    ...(picture && { media: [{ mediaFormat: 'PHOTO', sourceUrl: picture.url }] }),
  };
}

const POST_TYPES = ['status', 'link', 'photo'] as const;

export const google = {
  name: 'Google Business Profile',
  description: 'Google Business Profile, a business-listing network.',
  source: 'D1',
  kind: {
    key: 'business_listing',
    description: 'Business-listing network.',
    source: 'Update post',
  },
  accountTypes: ['location'],
  postTypes: POST_TYPES,
  values: [
    {
      path: ['details', 'title'],
      isMet: (post) =>
        isStandard(post) ||
        (hasVisibleText(post.details?.title) &&
          codePoints(post.details!.title!) <= MAX_EVENT_TITLE),
      message: `of an event or an offer must have 1 to ${MAX_EVENT_TITLE} code points on google.`,
    },
    {
      path: ['details', 'start'],
      isMet: (post) => isStandard(post) || hasVisibleText(post.details?.start),
      message: 'is required for an event or an offer.',
    },
    {
      path: ['details', 'end'],
      isMet: (post) => isStandard(post) || hasVisibleText(post.details?.end),
      message: 'is required for an event or an offer.',
    },
    {
      path: ['link', 'callToAction'],
      isMet: hasValidAction,
      message:
        'must be BOOK, ORDER, SHOP, LEARN_MORE or SIGN_UP on a post with a url, or CALL on one without. An offer has no button.',
    },
  ],
  limits: [
    textLimit(1_500, 'code_points'),
    { field: 'media', max: 1, unit: 'items', types: ['status', 'link'] },
    ...mediaLimits(1),
  ],
  mediaKinds: { status: ['photo'], link: ['photo'] },
  files: {
    photo: {
      minBytes: 10 * 1_024,
      maxBytes: 5 * MEGABYTE,
      minSide: 250,
      formats: ['image/jpeg', 'image/png'],
    },
  },
  dailyCaps: [dailyCap('update', [5, 10, 15], 'Business-listing updates')],
  edits: [onNetwork('text', { maxLength: 1500 }), LABELS],
  editRate: { maxConcurrent: 1, maxPerMinute: 10 },
  publishing: {
    publishes: true,
    unpublishes: true,
    guarantee: 'compared',
    guaranteeReason:
      'Google knows no key of its clients: the recent posts of the location are compared.',
    postTypes: POST_TYPES,
    mediaTypes: ['photo'],
  },
  postDomains: ['google', 'g.page', 'posts.gle', 'goo.gl'],
  adapter: {
    verified: false,
    note: 'Standard posts, events and offers. Google fetches the picture from its URL, which must be public. After publication, the text can be changed.',
    credentials: {
      ...googleCredentials('GOOGLE'),
      location: {
        description:
          'Resource name of the business location, such as accounts/123456/locations/1234567890. Without the account, posts can be edited, but not published.',
        secret: false,
      },
    },
    remoteId: /^accounts\/\d+\/locations\/\d+\/localPosts\/[\w-]+$/,
  },
  oauth: {
    own: {
      ...GOOGLE_OAUTH,
      app: 'GOOGLE',
      scopes: ['https://www.googleapis.com/auth/business.manage'],
    },
  },
} as const satisfies NetworkDefinition;
