import { createFacebook } from '../../../src/networks/facebook/facebook.js';
import type { NetworkCase } from './network-case.js';
import { exactly, text } from './request-schema.js';
import { startStandIn } from './stand-in.js';

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
      changedState: { message: 'New' },
    },
    {
      name: 'text and background',
      changed: ['text', 'details.textFormatPresetId'],
      post: { type: 'status', text: 'New', details: { textFormatPresetId: '901751159967576' } },
      requests: ROUND,
      changedState: { message: 'New', text_format_preset_id: '901751159967576' },
    },
    {
      name: 'background removed',
      changed: ['details.textFormatPresetId'],
      post: { type: 'status', details: null },
      requests: ROUND,
      changedState: { text_format_preset_id: '0' },
    },
    {
      name: 'title and text of a video: name and description',
      changed: ['text', 'title'],
      post: { type: 'video', text: 'New', title: 'Film' },
      requests: ROUND,
      changedState: { description: 'New', name: 'Film' },
    },
  ],
  errorBody: (status, message) => ({
    error: {
      message,
      type: 'OAuthException',
      code: status === 401 ? 190 : 100_000,
      fbtrace_id: 'A1',
    },
  }),
  async start() {
    const state = { message: 'Old', description: 'Old', name: 'Old', text_format_preset_id: '1' };
    const standIn = await startStandIn(
      [
        {
          method: 'GET',
          path: new RegExp(`^/v25.0/${ID}$`),
          headers,
          query: { fields: exactly('id') },
          respond: () => ({ status: 200, json: { id: ID } }),
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
          respond({ body }) {
            Object.assign(state, body);
            return { status: 200, json: { success: true } };
          },
        },
        {
          method: 'GET',
          path: /^\/v25\.0\/me$/,
          headers,
          query: { fields: exactly('id,name,picture{url}'), metadata: exactly('1') },
          respond: () => ({
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
      facebookCase.errorBody,
    );
    return { ...standIn, state: () => state };
  },
  adapter: (http, url) => createFacebook(http, { version: 'v25.0', baseUrl: url }),
  credentials: () => ({ accessToken: TOKEN }),
};
