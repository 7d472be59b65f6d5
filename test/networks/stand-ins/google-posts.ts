import { anAttachment } from '../../fixtures/posts.js';
import { standInClock } from './network-case.js';
import type { PublicationCase } from './publication-case.js';
import {
  exactly,
  integerFrom,
  listOf,
  matching,
  text,
  type Check,
  type Schema,
} from './request-schema.js';
import type { Route } from './stand-in.js';

/** A post as it was sent, with its name and the state that Google gives it. */
export interface PublishedLocalPost {
  readonly name: string;
  state: 'LIVE' | 'PROCESSING' | 'REJECTED';
  readonly sent: Record<string, any>;
}

/** What the stand-in keeps, and how it fails. */
export interface LocalPostState {
  readonly published: PublishedLocalPost[];
  /** The state of a new post. */
  newState: PublishedLocalPost['state'];
}

export const aLocalPostState = (): LocalPostState => ({ published: [], newState: 'LIVE' });

export const LOCATION = 'accounts/11/locations/22';
const httpUrl = matching(/^https?:\/\//);
const date: Schema = { year: integerFrom(2_000), month: integerFrom(1), day: integerFrom(1) };
const time: Schema = {
  hours: integerFrom(0),
  minutes: integerFrom(0),
  seconds: integerFrom(0),
  nanos: integerFrom(0),
};
const upTo =
  (maximum: number): Check =>
  (value) =>
    typeof value === 'string' && value.length <= maximum ? null : `is longer than ${maximum}`;

/** The rules of Google about fields that belong together. */
function problemOf({ topicType, event, offer, callToAction }: Record<string, any>): string | null {
  if ((topicType === 'STANDARD') !== (event === undefined)) return 'event does not fit topicType';
  if (offer !== undefined && topicType !== 'OFFER') return 'offer does not fit topicType';
  if (callToAction && topicType === 'OFFER') return 'an offer has no callToAction';
  if (callToAction && (callToAction.actionType === 'CALL') !== (callToAction.url === undefined))
    return 'callToAction.url does not fit actionType';
  return null;
}

/** The routes that create, list and delete posts of the location. */
export function localPostRoutes(state: LocalPostState, headers: Route['headers']): Route[] {
  const { published } = state;
  const present = ({ name, state: shown, sent }: PublishedLocalPost) => ({
    name,
    ...sent,
    state: shown,
    createTime: new Date(standInClock.now().getTime() + 1_123).toISOString(),
    updateTime: new Date(standInClock.now().getTime() + 1_123).toISOString(),
    searchUrl: `https://local.google.com/place?id=1&lpsid=${name.split('/').at(-1)}`,
  });
  return [
    {
      method: 'POST',
      path: new RegExp(`^/v4/${LOCATION}/localPosts$`),
      headers,
      json: {
        topicType: matching(/^(STANDARD|EVENT|OFFER)$/),
        summary: upTo(1_500),
        'languageCode?': text,
        'event?': {
          title: upTo(58),
          schedule: { startDate: date, startTime: time, endDate: date, endTime: time },
        },
        'offer?': { 'couponCode?': text, 'redeemOnlineUrl?': httpUrl, 'termsConditions?': text },
        'callToAction?': {
          actionType: matching(/^(BOOK|ORDER|SHOP|LEARN_MORE|SIGN_UP|CALL)$/),
          'url?': httpUrl,
        },
        'media?': listOf({ mediaFormat: exactly('PHOTO'), sourceUrl: matching(/^https:/) }),
      },
      respond({ body }) {
        const sent = body as PublishedLocalPost['sent'];
        const problem = problemOf(sent);
        if (problem !== null)
          return {
            status: 400,
            json: { error: { code: 400, message: problem, status: 'INVALID_ARGUMENT' } },
          };
        const post: PublishedLocalPost = {
          name: `${LOCATION}/localPosts/${100 + published.length}`,
          state: state.newState,
          sent,
        };
        published.unshift(post);
        return { status: 200, json: present(post) };
      },
    },
    {
      method: 'GET',
      path: new RegExp(`^/v4/${LOCATION}/localPosts$`),
      headers,
      query: { pageSize: exactly('100'), 'pageToken?': text },
      respond: () => ({
        status: 200,
        json: published.length === 0 ? {} : { localPosts: published.map(present) },
      }),
    },
    {
      method: 'DELETE',
      path: new RegExp(`^/v4/(${LOCATION}/localPosts/\\d+)$`),
      headers,
      respond(_request, match) {
        const index = published.findIndex(({ name }) => name === match[1]);
        if (index === -1)
          return {
            status: 404,
            json: { error: { code: 404, message: 'Requested entity was not found.' } },
          };
        published.splice(index, 1);
        return { status: 200, json: {} };
      },
    },
  ];
}

const REQUESTS = ['POST /token', 'POST /token', `POST /v4/${LOCATION}/localPosts`];
const day = (year: number, month: number, date_: number) => ({ year, month, day: date_ });
const at = (hours: number, minutes: number) => ({ hours, minutes, seconds: 0, nanos: 0 });

export const localPostPublication: PublicationCase = {
  guarantee: 'compared',
  requestsBefore: 1,
  live: {
    remoteId: `${LOCATION}/localPosts/100`,
    url: 'https://local.google.com/place?id=1&lpsid=100',
  },
  cases: [
    {
      name: 'a text in its language',
      post: () => ({ type: 'status', text: 'Neue Bohnen', details: { language: 'de' } }),
      requests: REQUESTS,
      published: { topicType: 'STANDARD', summary: 'Neue Bohnen', languageCode: 'de' },
    },
    {
      name: 'a picture, which Google fetches, with a button that calls',
      post: () => ({
        type: 'photo',
        text: 'Beans',
        url: null,
        link: { callToAction: 'call' },
        media: [anAttachment({ url: 'https://files.example/a.jpg' })],
      }),
      requests: REQUESTS,
      published: {
        topicType: 'STANDARD',
        summary: 'Beans',
        callToAction: { actionType: 'CALL' },
        media: [{ mediaFormat: 'PHOTO', sourceUrl: 'https://files.example/a.jpg' }],
      },
    },
    {
      name: 'a link with the default button',
      post: () => ({ type: 'link', text: 'Read', url: 'https://kiosk.example/a', link: null }),
      requests: REQUESTS,
      published: {
        topicType: 'STANDARD',
        summary: 'Read',
        callToAction: { actionType: 'LEARN_MORE', url: 'https://kiosk.example/a' },
      },
    },
    {
      name: 'an event with its button',
      post: () => ({
        type: 'link',
        text: 'Tasting',
        url: 'https://kiosk.example/a',
        link: { url: 'https://kiosk.example/a', callToAction: 'BOOK' },
        details: {
          type: 'event',
          title: 'Night of beans',
          start: '2026-12-31T21:30:00.000Z',
          end: '2027-01-01T01:00:00.000Z',
        },
      }),
      requests: REQUESTS,
      published: {
        topicType: 'EVENT',
        summary: 'Tasting',
        event: {
          title: 'Night of beans',
          schedule: {
            startDate: day(2026, 12, 31),
            startTime: at(21, 30),
            endDate: day(2027, 1, 1),
            endTime: at(1, 0),
          },
        },
        callToAction: { actionType: 'BOOK', url: 'https://kiosk.example/a' },
      },
    },
    {
      name: 'an offer of whole days',
      post: () => ({
        type: 'status',
        text: 'Half price',
        url: 'https://kiosk.example/offer',
        details: {
          type: 'offer',
          title: 'Beans',
          start: '2026-12-01',
          end: '2026-12-03',
          coupon: 'BEANS',
          terms: 'While stocks last',
        },
      }),
      requests: REQUESTS,
      published: {
        topicType: 'OFFER',
        summary: 'Half price',
        event: {
          title: 'Beans',
          schedule: {
            startDate: day(2026, 12, 1),
            startTime: at(0, 0),
            endDate: day(2026, 12, 3),
            endTime: at(23, 59),
          },
        },
        offer: {
          couponCode: 'BEANS',
          redeemOnlineUrl: 'https://kiosk.example/offer',
          termsConditions: 'While stocks last',
        },
      },
    },
  ],
  published: (state) => (state as LocalPostState).published.map(({ sent }) => sent),
};
