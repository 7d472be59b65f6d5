import {
  createHttpClient,
  type HttpClient,
} from '../../../src/networks/http-client/http-client.js';
import type { EditResult, NetworkEdit } from '../../../src/services/networks/network-ports.js';
import { aPost } from '../../fixtures/posts.js';
import { blueskyCase } from './bluesky.js';
import { facebookCase } from './facebook.js';
import { googleCase } from './google.js';
import { instagramCase } from './instagram.js';
import { linkedinCase } from './linkedin.js';
import { mastodonCase } from './mastodon.js';
import { NOW, type EditCase, type NetworkCase, type NetworkStandIn } from './network-case.js';
import { pinterestCase } from './pinterest.js';
import { telegramCase } from './telegram.js';
import { threadsCase } from './threads.js';
import { tiktokCase } from './tiktok.js';
import { twitterCase } from './twitter.js';
import { wordpressCase } from './wordpress.js';
import { youtubeCase } from './youtube.js';

/** The networks that the service has adapters for. */
export const NETWORK_CASES: readonly NetworkCase[] = [
  blueskyCase,
  mastodonCase,
  wordpressCase,
  telegramCase,
  linkedinCase,
  youtubeCase,
  googleCase,
  facebookCase,
  pinterestCase,
  threadsCase,
  instagramCase,
  twitterCase,
  tiktokCase,
];
/** Those whose published posts can be edited. */
export const EDITABLE_CASES = NETWORK_CASES.filter(({ edits }) => edits.length > 0);
export const clock = { now: () => NOW };
export const http = createHttpClient({ allowLoopback: true, clock });

/** One network with a started stand-in. */
export interface NetworkSuite {
  readonly network: NetworkCase;
  /** The edit with which failures are tested. */
  readonly firstEdit: EditCase;
  /** The stand-in of the current test. */
  standIn(): NetworkStandIn;
  toEdit(editCase: EditCase, more?: Partial<NetworkEdit>): NetworkEdit;
  edit(editCase: EditCase, client?: HttpClient): Promise<EditResult>;
}

/** Runs tests for every network with edits, each test with a fresh stand-in. */
export const describeNetworks = (defineTests: (suite: NetworkSuite) => void): void =>
  describe.each(EDITABLE_CASES.map((network) => [network.network, network] as const))(
    '%s',
    (_name, network) => {
      let standIn: NetworkStandIn;
      beforeEach(async () => {
        standIn = await network.start();
      });
      afterEach(() => standIn.close());
      const toEdit: NetworkSuite['toEdit'] = (
        { post, changed, remoteId = network.remoteId },
        more,
      ) => ({
        account: aPost().account!,
        credentials: network.credentials(standIn.url),
        remoteId,
        post: aPost({ network: network.network, storedState: 'published_posted', ...post }),
        changed: new Set(changed),
        ...more,
      });
      defineTests({
        network,
        firstEdit: network.edits[0]!,
        standIn: () => standIn,
        toEdit,
        edit: (editCase, client = http) =>
          network.adapter(client, standIn.url).edit(toEdit(editCase)),
      });
    },
  );
