/** Names of networks that are not the capitalized key. */
const NETWORK_NAMES: Readonly<Record<string, string>> = {
  google: 'Google Business Profile',
  linkedin: 'LinkedIn',
  tiktok: 'TikTok',
  twitter: 'X',
  wordpress: 'WordPress',
  youtube: 'YouTube',
};

/** The name of a network, by its key or its name in GraphQL. */
export function networkName(network: string): string {
  const key = network.toLowerCase();
  return NETWORK_NAMES[key] ?? key.charAt(0).toUpperCase() + key.slice(1);
}
