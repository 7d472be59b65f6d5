import type { HttpClient } from './http-client.js';

/**
 * Base URLs that replace the hosts of networks [NETWORK_HOSTS], by host: `https://host`, or a URL
 * with a path that is put before the path of each request. They lead to sandboxes of networks, and
 * in tests to this machine.
 */
export type NetworkHosts = Readonly<Record<string, string>>;

/** The URL to which a request to a network's official URL is sent; unchanged if no host replaces. */
export function replaceHost(hosts: NetworkHosts, url: URL): URL {
  const base = Object.hasOwn(hosts, url.host) ? hosts[url.host]! : null;
  return base === null
    ? url
    : new URL(`${base.replace(/\/+$/, '')}${url.pathname}${url.search}${url.hash}`);
}

/**
 * A client that sends requests to other hosts than the official ones. Adapters write official
 * addresses only, and receive official addresses of uploads and sessions: each request is replaced
 * when it is sent.
 */
export const replaceHosts = (http: HttpClient, hosts: NetworkHosts): HttpClient => ({
  ...http,
  send: (request) => http.send({ ...request, url: replaceHost(hosts, request.url) }),
});
