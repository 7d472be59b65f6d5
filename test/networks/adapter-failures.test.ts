import { createHttpClient } from '../../src/networks/http-client/http-client.js';
import type { EditResult } from '../../src/services/networks/network-ports.js';
import { networkErrors, UNDOCUMENTED_RESPONSES } from './stand-ins/network-errors.js';
import { clock, describeNetworks, http } from './stand-ins/network-suite.js';

describeNetworks(({ network, firstEdit, standIn, toEdit, edit }) => {
  const messagePattern = new RegExp(`^${network.name} .+[.…]$`);
  /** A fresh stand-in with its adapter and the first edit. */
  async function startFresh(client = http) {
    const fresh = await network.start();
    const credentials = network.credentials(fresh.url);
    const adapter = network.adapter(client, fresh.url);
    return { fresh, edit: () => adapter.edit(toEdit(firstEdit, { credentials })) };
  }

  // Users see the network's message, which may contain the request's credentials.
  const errorBody = (status: number): unknown =>
    network.errorBody(status, `<b>No</b>, not with ${network.secrets[0]}`);
  it.each(networkErrors(errorBody).map((error) => [error.name, error] as const))(
    'returns a failure for %s of any request, and can repeat the edit',
    async (_name, { fault, code, retryAfterMs, hasMessage }) => {
      for (const index of firstEdit.requests.keys()) {
        const { fresh, edit: editFresh } = await startFresh();
        const before = structuredClone(fresh.state()) as object;
        fresh.injectFault(index, fault);
        const result = await editFresh();

        const isLimit = code === 'NETWORK_RATE_LIMITED';
        const pauseMs = retryAfterMs ?? (isLimit ? network.limitPauseMs : undefined);
        const request = decodeURIComponent(fresh.requests[index]!);
        const expectedCode =
          typeof code === 'string'
            ? code
            : code(request.includes(`/${network.remoteId}`), network.unknownPathCode);
        expect({ request, ...result }).toEqual({
          request,
          kind: 'failed',
          code: expectedCode,
          message: expect.stringMatching(messagePattern),
          ...(pauseMs !== undefined && { retryAfterMs: pauseMs }),
        });
        const { message } = result as { message: string };
        expect(network.secrets.filter((secret) => message.includes(secret))).toEqual([]);
        if (hasMessage && expectedCode !== 'NETWORK_UNAVAILABLE')
          expect(message).toContain('No, not with •••');

        fresh.injectFault(-1, fault);
        expect({
          repeated: await editFresh(),
          state: fresh.state(),
          violations: fresh.violations,
        }).toEqual({
          repeated: { kind: 'edited' },
          state: { ...before, ...firstEdit.changedState },
          violations: [],
        });
        await fresh.close();
      }
    },
  );

  it('shows no part of a secret in a shortened message', async () => {
    const secret = network.secrets[0]!;
    for (const length of [288, 292, 296]) {
      const json = network.errorBody(422, 'x'.repeat(length) + secret);
      standIn().injectFault(0, { status: 422, json });
      expect(await edit(firstEdit)).toMatchObject({
        kind: 'failed',
        message: expect.not.stringContaining(`x${secret.slice(0, 3)}`),
      });
    }
  });

  it('processes an error message of 5 million characters in linear time', async () => {
    standIn().injectFault(0, { status: 422, json: network.errorBody(422, '<'.repeat(5_000_000)) });
    expect(await edit(firstEdit)).toMatchObject({ kind: 'failed' });
  });

  it.each(Object.entries(UNDOCUMENTED_RESPONSES))(
    'does not throw for an undocumented response: %s',
    async (_name, text) => {
      for (const index of firstEdit.requests.keys()) {
        const { fresh, edit: editFresh } = await startFresh();
        const headers = { 'Content-Type': 'application/json' };
        fresh.injectFault(index, { status: 200, text, headers });
        const result = await editFresh();
        if (result.kind === 'failed')
          expect(result).toMatchObject({ message: expect.stringMatching(messagePattern) });
        await fresh.close();
      }
    },
  );

  it('enforces the timeout of one request, and of all requests', async () => {
    const results: EditResult[] = [];
    for (const timeouts of [
      { requestMs: 80, totalMs: 60_000 },
      { requestMs: 60_000, totalMs: 120 },
    ]) {
      const client = createHttpClient({ allowLoopback: true, clock, timeouts });
      // A fresh stand-in: on a busy machine an aborted request may arrive after the next edit has
      // started.
      const { fresh, edit: editFresh } = await startFresh(client);
      fresh.injectFault(0, 'no-response');
      results.push(await editFresh());
      await fresh.close();
    }
    expect(results).toEqual(
      [0.08, 0.12].map((seconds) => ({
        kind: 'failed',
        code: 'NETWORK_UNAVAILABLE',
        message: `${network.name} is unavailable: it did not respond within ${seconds} seconds.`,
      })),
    );
  });

  it('sends no request to this machine unless loopback is allowed', async () => {
    const guarded = createHttpClient({ allowLoopback: false, clock });
    expect(await edit(firstEdit, guarded)).toEqual({
      kind: 'failed',
      code: 'NETWORK_NOT_CONNECTED',
      message: expect.stringMatching(/ https:\/\/|not a public address/),
    });
    expect(standIn().requests).toEqual([]);
  });
});
