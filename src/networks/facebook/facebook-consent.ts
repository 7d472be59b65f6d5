import { listAt, textAt, valueAt } from '../http-client/json-path.js';
import type { NetworkClient } from '../http-client/network-client.js';
import {
  consentFailure,
  type FindAccounts,
  type OauthCalls,
  type OwnedAccount,
} from '../oauth2/oauth-consent.js';
import { GRAPH_ERRORS } from '../meta/graph-api.js';
import { GRAPH_URL } from './facebook.js';

const headersOf = (accessToken: string) => ({ Authorization: `Bearer ${accessToken}` });

/** The permissions that the person has granted to the app; the answer with the token has none. */
const permissions =
  (version: string): Required<OauthCalls>['grantedScopes'] =>
  async (client, { accessToken }) =>
    listAt(
      await client.request('GET', `${GRAPH_URL}/${version}/me/permissions`, {
        headers: headersOf(accessToken),
      }),
      'data',
    )
      .filter((permission) => valueAt(permission, 'status') === 'granted')
      .map((permission) => textAt(permission, 'permission') ?? '');

/** The pages of the person, with their own tokens, which do not end. */
async function readPages(
  client: NetworkClient,
  accessToken: string,
  { version, fields }: { version: string; fields: string },
): Promise<readonly { readonly page: unknown; readonly token: string }[]> {
  const found = await client.request(
    'GET',
    `${GRAPH_URL}/${version}/me/accounts?fields=${fields}&limit=100`,
    { headers: headersOf(accessToken) },
  );
  return listAt(found, 'data').map((page) => {
    const token = textAt(page, 'access_token') ?? client.throwMissing('token of a page');
    client.addSecret(token);
    return { page, token };
  });
}

/** Whether the person may publish on the page. */
const mayPublish = (page: unknown): boolean => {
  const tasks = listAt(page, 'tasks');
  return tasks.length === 0 || tasks.includes('CREATE_CONTENT');
};

const findPages =
  (version: string): FindAccounts =>
  async (client, { token }) => {
    const fields = 'id,name,access_token,tasks,picture{url}';
    const pages = await readPages(client, token.accessToken, { version, fields });
    const owned = pages
      .filter(({ page }) => mayPublish(page))
      .map(({ page, token: accessToken }): OwnedAccount => {
        const socialId = textAt(page, 'id') ?? client.throwMissing('ID of a page');
        const name = textAt(page, 'name') ?? socialId;
        const picture = textAt(page, 'picture', 'data', 'url');
        return {
          identity: { socialId, name, type: 'page', picture },
          credentials: { accessToken },
          hasLastingToken: true,
        };
      });
    return owned.length > 0
      ? owned
      : consentFailure(
          'WRONG_ACCOUNT_KIND',
          'You chose no Facebook page on which you may publish. Profiles and groups have no API.',
        );
  };

/** Instagram accounts that belong to pages. */
const findInstagramAccounts =
  (version: string): FindAccounts =>
  async (client, { token }) => {
    const fields = 'access_token,instagram_business_account{id,username,profile_picture_url}';
    const pages = await readPages(client, token.accessToken, { version, fields });
    const owned = pages.flatMap(({ page, token: accessToken }): OwnedAccount[] => {
      const account = valueAt(page, 'instagram_business_account');
      const socialId = textAt(account, 'id');
      return socialId === null
        ? []
        : [
            {
              identity: {
                socialId,
                name: `@${textAt(account, 'username') ?? socialId}`,
                type: 'business',
                picture: textAt(account, 'profile_picture_url'),
              },
              credentials: { accessToken, login: 'facebook' },
              hasLastingToken: true,
            },
          ];
    });
    return owned.length > 0
      ? owned
      : consentFailure(
          'WRONG_ACCOUNT_KIND',
          'None of the Facebook pages that you chose has a professional Instagram account.',
        );
  };

/** What Facebook's login gives access to: pages, or the Instagram accounts that belong to them. */
export const facebookCalls = (version: string) => ({
  pages: {
    errors: GRAPH_ERRORS,
    findAccounts: findPages(version),
    grantedScopes: permissions(version),
  },
  instagram: {
    errors: GRAPH_ERRORS,
    findAccounts: findInstagramAccounts(version),
    grantedScopes: permissions(version),
  },
});
