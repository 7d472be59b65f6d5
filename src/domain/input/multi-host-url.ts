/** Everything before the hosts, the hosts, and everything after them. */
const PARTS = /^([a-z+]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is;

/** Splits a URL with one or more hosts into what is before the hosts, the hosts, and the rest. */
export const urlParts = (url: string): readonly [start: string, hosts: string, end: string] => {
  const [, start = '', hosts = '', end = ''] = PARTS.exec(url) ?? [];
  return [start, hosts, end];
};

/**
 * One URL per host of a URL. With several hosts, as in `postgresql://user@a:5432,b:5432/posts`,
 * `new URL` does not accept the whole.
 */
export function singleHostUrls(url: string): string[] {
  const [start, hosts, end] = urlParts(url);
  return hosts.includes(',') ? hosts.split(',').map((host) => start + host + end) : [url];
}
