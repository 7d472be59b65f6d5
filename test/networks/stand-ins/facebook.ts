import { createFacebook } from '../../../src/networks/facebook.js';
import type { NetworkCase } from './network-case.js';
import { exactly, text } from './shape.js';
import { openStandIn } from './stand-in.js';

const TOKEN = 'facebook-page-token';
const ID = '1001_2002';
const headers = { authorization: exactly(`Bearer ${TOKEN}`) };
const ROUND = [`GET /v25.0/${ID}`, `POST /v25.0/${ID}`];

export const facebookCase: NetworkCase = {
  network: 'facebook',
  name: 'Facebook',
  remoteId: ID,
  secrets: [TOKEN],
  account: {
    socialId: '1001',
    name: 'Kiosk',
    type: 'page',
    picture: 'https://media.example/kiosk.jpg',
  },
  edits: [
    {
      name: 'the text of a post: its message',
      changed: ['text'],
      post: { type: 'photo', text: 'New' },
      requests: ROUND,
      shown: { message: 'New' },
    },
    {
      name: 'text and background',
      changed: ['text', 'details.textFormatPresetId'],
      post: { type: 'status', text: 'New', details: { textFormatPresetId: '901751159967576' } },
      requests: ROUND,
      shown: { message: 'New', text_format_preset_id: '901751159967576' },
    },
    {
      name: 'no background any more',
      changed: ['details.textFormatPresetId'],
      post: { type: 'status', details: null },
      requests: ROUND,
      shown: { text_format_preset_id: '0' },
    },
    {
      name: 'title and text of a film: name and description',
      changed: ['text', 'title'],
      post: { type: 'video', text: 'New', title: 'Film' },
      requests: ROUND,
      shown: { description: 'New', name: 'Film' },
    },
  ],
  refusal: (status, words) => ({
    error: {
      message: words,
      type: 'OAuthException',
      code: status === 401 ? 190 : 100_000,
      fbtrace_id: 'A1',
    },
  }),
  async open() {
    const shown = { message: 'Old', description: 'Old', name: 'Old', text_format_preset_id: '1' };
    const standIn = await openStandIn(
      [
        {
          method: 'GET',
          path: new RegExp(`^/v25.0/${ID}$`),
          headers,
          query: { fields: exactly('id') },
          answer: () => ({ status: 200, json: { id: ID } }),
        },
        {
          method: 'POST',
          path: new RegExp(`^/v25.0/${ID}$`),
          headers,
          json: {
            'message?': text,
            'text_format_preset_id?': text,
            'description?': text,
            'name?': text,
          },
          answer({ body }) {
            Object.assign(shown, body);
            return { status: 200, json: { success: true } };
          },
        },
        {
          method: 'GET',
          path: /^\/v25\.0\/me$/,
          headers,
          query: { fields: exactly('id,name,picture{url}'), metadata: exactly('1') },
          answer: () => ({
            status: 200,
            json: {
              id: '1001',
              name: 'Kiosk',
              picture: { data: { url: 'https://media.example/kiosk.jpg' } },
              metadata: { type: 'page' },
            },
          }),
        },
      ],
      facebookCase.refusal,
    );
    return { ...standIn, shown: () => shown };
  },
  adapter: (web, url) => createFacebook(web, { version: 'v25.0', root: url }),
  credentials: () => ({ accessToken: TOKEN }),
};
