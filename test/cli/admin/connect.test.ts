import { enumKeys } from '../../../src/domain/enums.js';
import { NETWORKS } from '../../../src/domain/networks/networks.js';
import { answeringPrompts, piped, type CommandResult } from '../../fixtures/operator.js';
import { connectScenario, credentialVariables, TOKEN } from './connect-scenario.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

const scenario = forAllTests(() => connectScenario(), 'close');
beforeEach(() => scenario.reset());

describe('accounts connect', () => {
  const host = (): string => new URL(scenario.instance.url).host;

  it('checks credentials from environment variables on the network, creates the account and stores the credentials sealed', async () => {
    scenario.state.env = credentialVariables(scenario.instance);
    const account = await scenario.connectJson();
    expect(scenario.instance.requests).toEqual(['GET /api/v1/accounts/verify_credentials']);
    expect(await scenario.accounts()).toMatchObject([
      {
        id: account.id,
        name: `@kiosk@${host()}`,
        network: 'mastodon',
        type: 'profile',
        picture: 'https://files.example/kiosk.png',
        needsReauth: false,
        sandbox: false,
      },
    ]);
    expect(account).toMatchObject({ name: `@kiosk@${host()}`, isNew: true, restored: 0 });
    expect(await scenario.credentials.open(account.id)).toEqual({
      instance: scenario.instance.url,
      accessToken: TOKEN,
    });
    expect(JSON.stringify(account)).not.toContain(TOKEN);
  });

  it('reads the credentials from a JSON object on standard input', async () => {
    scenario.state.input = piped(
      JSON.stringify({ instance: scenario.instance.url, accessToken: `${TOKEN}\n` }),
    );
    expect(await scenario.connect('--stdin', '--name', 'Our Kiosk')).toEqual({
      code: 0,
      err: '',
      out: expect.stringMatching(/^New account Our Kiosk \(.+\) is connected: acc_\w{16}\.$/),
    });
    const [account] = await scenario.accounts();
    expect(await scenario.credentials.open(account!.id)).toEqual({
      instance: scenario.instance.url,
      accessToken: TOKEN,
    });
  });

  it('prompts for the credentials that the environment does not contain, without echoing secrets', async () => {
    const terminal = answeringPrompts(scenario.instance.url, TOKEN);
    scenario.state.input = terminal.input;
    expect((await scenario.connect()).code).toBe(0);
    expect(
      terminal.prompts.map(({ question, isHidden }) => [question.split('\n')[1], isHidden]),
    ).toEqual([
      ['instance: ', false],
      ['accessToken (hidden): ', true],
    ]);
    scenario.state.env = { CONNECT_MASTODON_INSTANCE: scenario.instance.url };
    const secondTerminal = answeringPrompts(TOKEN);
    scenario.state.input = secondTerminal.input;
    expect((await scenario.connect()).out).toMatch(/^Account @kiosk@/);
    expect(secondTerminal.prompts).toHaveLength(1);
  });
});

describe('accounts connect creates no account', () => {
  const expectFailure = async (result: CommandResult, code: number, err: string): Promise<void> => {
    expect(result).toEqual({ code, out: '', err: expect.stringContaining(err) });
    expect(await scenario.accounts()).toEqual([]);
    expect(result.err).not.toMatch(/tok-|wrong-token/);
  };

  it('for credentials that the network rejects, and prints no secret even if the network repeats it', async () => {
    scenario.state.env = credentialVariables(scenario.instance, 'wrong-token-0815');
    await expectFailure(await scenario.connect(), 1, '(NETWORK_REAUTHORIZATION_NEEDED)');
  });

  it('without complete credentials, and lists the missing fields with every way to pass them', async () => {
    await expectFailure(
      await scenario.connect(),
      1,
      'mastodon needs instance, accessToken: answer the prompts in a terminal, set CONNECT_MASTODON_INSTANCE, CONNECT_MASTODON_ACCESS_TOKEN, or pass a JSON object on standard input with --stdin',
    );
    expect(scenario.instance.requests).toEqual([]);
  });

  it.each([
    [
      `{"accessToken": "${TOKEN}"`,
      'Standard input must be a JSON object with the fields instance, accessToken',
    ],
    [`["${TOKEN}"]`, 'Standard input must be a JSON object with the fields instance, accessToken'],
    [
      `{"instance": "x", "acessToken": "${TOKEN}"}`,
      'Standard input has invalid fields: "acessToken". Expected strings for instance, accessToken',
    ],
    [
      '{"instance": "x", "accessToken": 815}',
      'Standard input has invalid fields: "accessToken". Expected strings for instance, accessToken',
    ],
  ])('if standard input is %s', async (text, message) => {
    scenario.state.input = piped(text);
    await expectFailure(await scenario.connect('--stdin'), 1, message);
  });

  it.each([
    [
      'a secret on the command line',
      ['--access-token', TOKEN.slice(4)],
      2,
      "unknown option '--access-token'",
    ],
    [
      'a workspace that does not exist',
      ['--workspace', 'wks_none'],
      1,
      'Workspace "wks_none" does not exist',
    ],
  ] as const)('with %s', async (_, options, code, message) =>
    expectFailure(await scenario.connect(...options), code, message),
  );

  it('on an unknown network', async () => {
    await expectFailure(
      await scenario.connectOn('myspace'),
      2,
      `Allowed choices are ${enumKeys(NETWORKS).join(', ')}`,
    );
  });

  it('without CREDENTIALS_KEY on a database that is not embedded, which is reported before any prompt', async () => {
    scenario.state.env = { CREDENTIALS_KEY: '' };
    const terminal = answeringPrompts(scenario.instance.url, TOKEN);
    scenario.state.input = terminal.input;
    await expectFailure(await scenario.connect(), 1, 'CREDENTIALS_KEY is not set');
    expect([terminal.prompts, scenario.instance.requests]).toEqual([[], []]);
  });
});
