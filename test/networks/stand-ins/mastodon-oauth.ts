import { createHash, randomBytes } from 'node:crypto';
import { exactly, text } from './request-schema.js';
import { startStandIn, type Reply, type StandIn } from './stand-in.js';

/** What the instance answers to the code of a consent. */
export type TokenAnswer = 'all scopes' | 'fewer scopes' | 'an error page';

/** A Mastodon instance at which people give consent. */
export interface OauthInstance extends StandIn {
  /** How often the gateway registered itself. */
  registrations(): number;
  /**
   * What a browser does on the page that asks for consent: allows or denies it. Returns the address
   * to which the instance sends it back.
   */
  answerPage(authorizeUrl: string, decision: 'allow' | 'deny'): string;
  /** From now on, the account of the instance has another ID. */
  becomeAccount(id: string): void;
  answerCodes(answer: TokenAnswer): void;
  /** The tokens that it gave out. */
  readonly tokens: ReadonlySet<string>;
}

interface Code {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly scope: string;
}

const SCOPES = 'read:accounts read:statuses write:statuses write:media';
const random = (): string => randomBytes(16).toString('hex');
const refuse = (error: string): Reply => ({ status: 400, json: { error } });

/** Starts an instance: its clients, codes that are taken once, and tokens. */
export async function startOauthInstance(): Promise<OauthInstance> {
  const clients = new Map<string, { secret: string; redirectUri: string }>();
  const codes = new Map<string, Code>();
  const tokens = new Set<string>();
  let accountId = '109';
  let answer: TokenAnswer = 'all scopes';

  function exchange(form: URLSearchParams): Reply {
    const code = codes.get(form.get('code')!);
    codes.delete(form.get('code')!);
    const client = clients.get(form.get('client_id')!);
    if (!code || !client || client.secret !== form.get('client_secret'))
      return refuse('invalid_grant');
    const challenge = createHash('sha256').update(form.get('code_verifier')!).digest('base64url');
    if (code.redirectUri !== form.get('redirect_uri') || code.challenge !== challenge)
      return refuse('invalid_grant');
    if (answer === 'an error page')
      return {
        status: 502,
        text: '<h1>Bad gateway</h1>',
        headers: { 'Content-Type': 'text/html' },
      };
    const token = random();
    tokens.add(token);
    const scope = answer === 'all scopes' ? code.scope : 'read:accounts read:statuses';
    return {
      status: 200,
      json: { access_token: token, token_type: 'Bearer', scope, created_at: 1_700_000_000 },
    };
  }

  const standIn = await startStandIn(
    [
      {
        method: 'POST',
        path: /^\/api\/v1\/apps$/,
        headers: {},
        form: { client_name: text, redirect_uris: text, scopes: exactly(SCOPES) },
        respond({ bytes }) {
          const form = new URLSearchParams(bytes.toString());
          const [clientId, secret] = [random(), random()];
          clients.set(clientId, { secret, redirectUri: form.get('redirect_uris')! });
          return { status: 200, json: { id: '1', client_id: clientId, client_secret: secret } };
        },
      },
      {
        method: 'POST',
        path: /^\/oauth\/token$/,
        headers: {},
        form: {
          grant_type: exactly('authorization_code'),
          code: text,
          redirect_uri: text,
          client_id: text,
          client_secret: text,
          code_verifier: text,
        },
        respond: ({ bytes }) => exchange(new URLSearchParams(bytes.toString())),
      },
      {
        method: 'GET',
        path: /^\/api\/v1\/accounts\/verify_credentials$/,
        headers: {
          authorization: (value) =>
            tokens.has(String(value).replace('Bearer ', '')) ? null : 'is no token',
        },
        respond: () => ({
          status: 200,
          json: { id: accountId, acct: `kiosk${accountId}`, avatar: 'https://files.example/k.png' },
        }),
      },
    ],
    (_status, message) => ({ error: message }),
  );
  return {
    ...standIn,
    registrations: () => clients.size,
    answerPage(authorizeUrl, decision) {
      const { searchParams: asked, origin, pathname } = new URL(authorizeUrl);
      const client = clients.get(asked.get('client_id')!);
      const redirectUri = asked.get('redirect_uri')!;
      if (`${origin}${pathname}` !== `${standIn.url}/oauth/authorize`)
        throw new Error(`The page ${authorizeUrl} does not belong to the instance.`);
      if (
        client?.redirectUri !== redirectUri ||
        asked.get('response_type') !== 'code' ||
        asked.get('code_challenge_method') !== 'S256'
      )
        throw new Error('The instance refuses to ask for consent.');
      const back = new URL(redirectUri);
      back.searchParams.set('state', asked.get('state')!);
      if (decision === 'deny') {
        back.searchParams.set('error', 'access_denied');
        back.searchParams.set('error_description', 'The resource owner denied the request.');
        return back.href;
      }
      const code = random();
      codes.set(code, {
        clientId: asked.get('client_id')!,
        redirectUri,
        challenge: asked.get('code_challenge')!,
        scope: asked.get('scope')!,
      });
      back.searchParams.set('code', code);
      return back.href;
    },
    becomeAccount(id) {
      accountId = id;
    },
    answerCodes(given) {
      answer = given;
    },
    tokens,
  };
}
