import { appendFileSync } from 'node:fs';
import type { Network } from '../../../src/domain/networks/networks.js';
import type { HttpClient } from '../../../src/networks/http-client/http-client.js';
import {
  replaceHosts,
  type NetworkHosts,
} from '../../../src/networks/http-client/network-hosts.js';

/** The hosts that adapters call, and whose they are where a stand-in does not say. */
const OFFICIAL_HOSTS: Readonly<Record<string, Network | null>> = {
  'www.facebook.com': 'facebook',
  'graph.facebook.com': 'facebook',
  'graph-video.facebook.com': 'facebook',
  'rupload.facebook.com': 'facebook',
  'www.instagram.com': 'instagram',
  'api.instagram.com': 'instagram',
  'graph.instagram.com': 'instagram',
  'threads.com': 'threads',
  'www.threads.com': 'threads',
  'graph.threads.com': 'threads',
  'x.com': 'twitter',
  'api.x.com': 'twitter',
  'www.tiktok.com': 'tiktok',
  'open.tiktokapis.com': 'tiktok',
  'open-upload.tiktokapis.com': 'tiktok',
  'www.linkedin.com': 'linkedin',
  'api.linkedin.com': 'linkedin',
  'www.pinterest.com': 'pinterest',
  'api.pinterest.com': 'pinterest',
  'pinterest-media-upload.s3-accelerate.amazonaws.com': 'pinterest',
  'accounts.google.com': 'google',
  'oauth2.googleapis.com': 'google',
  'mybusiness.googleapis.com': 'google',
  'mybusinessaccountmanagement.googleapis.com': 'google',
  'mybusinessbusinessinformation.googleapis.com': 'google',
  'www.googleapis.com': 'youtube',
  'youtube.googleapis.com': 'youtube',
  // Nothing holds its requests against a document: they are not recorded.
  'api.telegram.org': null,
};

/** NETWORK_HOSTS that lead every official host to a stand-in, which tells them by the path. */
export const hostsAt = (url: string): NetworkHosts =>
  Object.fromEntries(Object.keys(OFFICIAL_HOSTS).map((host) => [host, `${url}/${host}`]));

/** A client whose requests to official hosts reach a stand-in. */
export const reaching = (http: HttpClient, url: string): HttpClient =>
  replaceHosts(http, hostsAt(url));

/** The official host that a path of a stand-in begins with, and the path there. */
export function splitHost(path: string): { host: string | null; path: string } {
  const host = path.split('/')[1]!;
  return Object.hasOwn(OFFICIAL_HOSTS, host)
    ? { host, path: path.slice(host.length + 1) || '/' }
    : { host: null, path };
}

/** A request to an official host, for the record. */
interface OfficialRequest {
  readonly network: Network | undefined;
  readonly method: string;
  readonly host: string;
  /** Path and query, as they were sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/**
 * Appends the request to the file of RECORD_NETWORK_REQUESTS, if that is set, so that all requests of
 * a test run can be held against the documents of the networks. Secrets are left out.
 */
export async function recordRequest(request: OfficialRequest): Promise<void> {
  const file = process.env['RECORD_NETWORK_REQUESTS'];
  if (!file) return;
  const { method, host, target, headers, bytes } = request;
  const network = request.network ?? OFFICIAL_HOSTS[host];
  if (!network) return;
  const { authorization, ...others } = headers;
  const line = {
    network,
    method,
    url: `https://${host}${target}`,
    headers: {
      ...others,
      ...(authorization && { authorization: `${authorization.split(' ')[0]} …` }),
    },
    body: await presentBody(bytes, headers['content-type'] ?? ''),
  };
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}

async function presentBody(bytes: Buffer, type: string): Promise<unknown> {
  if (bytes.length === 0) return null;
  if (/^application\/json\b/.test(type)) return { json: JSON.parse(bytes.toString()) };
  const isForm = /^application\/x-www-form-urlencoded\b/.test(type);
  if (!isForm && !type.startsWith('multipart/')) return { bytes: bytes.length };
  const headers = { 'Content-Type': type };
  const form = await new Response(new Uint8Array(bytes), { headers }).formData();
  if (isForm) {
    const names = [...new Set(form.keys())];
    const values = names.map((name) => [name, form.getAll(name)] as const);
    return {
      form: Object.fromEntries(
        values.map(([name, all]) => [name, all.length === 1 ? all[0] : all]),
      ),
    };
  }
  return {
    multipart: [...form].map(([name, value]) =>
      typeof value === 'string'
        ? { name, value }
        : { name, filename: value.name, contentType: value.type, bytes: value.size },
    ),
  };
}
