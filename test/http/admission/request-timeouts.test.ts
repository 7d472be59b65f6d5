import { setTimeout as sleep } from 'node:timers/promises';
import { createRequestTimeouts } from '../../../src/http/admission/request-timeouts.js';
import { waitFor } from '../../fixtures/wait-for.js';

interface TestRequest {
  readonly name: string;
  readonly receivedAt: number;
}

function timeoutsWith({ isResponsive }: { isResponsive: () => Promise<boolean> }) {
  const pending = new Set<TestRequest>();
  const timedOut: string[] = [];
  const timeouts = createRequestTimeouts(pending, isResponsive, (request, reason) => {
    pending.delete(request);
    timedOut.push(`${request.name}: ${reason}`);
  });
  return {
    pending,
    timedOut,
    begin(name: string, age = 0): TestRequest {
      const request = { name, receivedAt: performance.now() - age };
      pending.add(request);
      timeouts.watch();
      return request;
    },
  };
}

describe('request timeouts', () => {
  it('fail requests older than a second while the database does not respond, and no newer ones', async () => {
    const timeouts = timeoutsWith({ isResponsive: async () => false });
    timeouts.begin('old', 900);
    timeouts.begin('young');
    await waitFor(() => timeouts.timedOut.length > 0);
    expect([timeouts.timedOut, [...timeouts.pending].map(({ name }) => name)]).toEqual([
      ['old: database does not respond'],
      ['young'],
    ]);
    timeouts.pending.clear();
  });

  it('let a request take 20 s while the database responds', async () => {
    let probes = 0;
    const timeouts = timeoutsWith({
      isResponsive: async () => {
        probes += 1;
        return true;
      },
    });
    timeouts.begin('slow', 20_000);
    await waitFor(() => probes >= 2);
    expect(timeouts.timedOut).toEqual([]);
    timeouts.pending.clear();
  });

  it('end a request after 25 s whatever the database says', async () => {
    const timeouts = timeoutsWith({ isResponsive: async () => true });
    timeouts.begin('stuck', 25_000);
    timeouts.begin('slow', 20_000);
    await waitFor(() => timeouts.timedOut.length > 0);
    expect(timeouts.timedOut).toEqual(['stuck: too long']);
    timeouts.pending.clear();
  });

  it('do not probe the database for fast requests', async () => {
    let probes = 0;
    const timeouts = timeoutsWith({
      isResponsive: async () => {
        probes += 1;
        return true;
      },
    });
    timeouts.pending.delete(timeouts.begin('quick'));
    timeouts.begin('young');
    await sleep(300);
    expect(probes).toBe(0);
    timeouts.pending.clear();
  });
});
