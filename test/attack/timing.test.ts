import { suite } from '../setup/suite.js';
import { attackedGateway, type Attacked } from './attacked.js';
import { makeOwn, PLACES, V1_PLACES } from './own.js';
import { aVictim, type Victim } from './victim.js';

jest.setTimeout(120_000);

/** Whether what it costs to answer tells a foreign id from an unknown one. foreign-ids.test.ts holds the statements to each other; here it is their work. */
const LOOK_UPS: readonly (readonly [place: string, kind: string])[] = [
  ['Query.node.id', 'post'],
  ['Query.node.id', 'account'],
  ['Query.node.id', 'media'],
  ['Query.node.id', 'notification'],
  ['Query.jobStatus.id', 'job'],
  ['Query.post.id', 'relational post'],
  ['Query.posts.filter.accountIds', 'account'],
  ['Mutation.updatePost.input.post.media.id', 'media'],
  ['Query.posts.after', 'cursor of posts'],
  ['Query.posts.filter.labelIds', 'label'],
  ['Query.posts.filter.memberId', 'user'],
];
/** The same through REST v1. */
const V1_LOOK_UPS: typeof LOOK_UPS = [
  ['GET /v1/posts/{id}: path id', 'relational post'],
  ['GET /v1/job_status/{job_id}: path job_id', 'job'],
  ['GET /v1/posts: header Service-Workspace-Id', 'workspace'],
  ['PUT /v1/posts/{id}: body post.media.id', 'media'],
];
const ROUNDS = suite.form === 'short' ? 40 : 200;
/** Answers to the same id differ by as much from one round to the next, on a machine that others use too. */
const MOST_APART = 1.3;

let gateway: Attacked;
let victim: Victim;
beforeAll(async () => {
  gateway = await attackedGateway();
  await makeOwn(gateway, gateway.owner);
  victim = await aVictim(gateway, await gateway.records.aViewer());
});
afterAll(() => gateway.close());

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Asks with an id in the place, through the door that the place belongs to. */
function askerOf(name: string): (id: string) => Promise<unknown> {
  const place = PLACES.find((one) => one.name === name);
  if (place) return (id) => gateway.graphql(place.query, { value: place.value(id) });
  const { method, request } = V1_PLACES.find((one) => one.name === name)!;
  return (id) => {
    const { path, headers, body } = request(id);
    return gateway.ask(path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  };
}

it.each([...LOOK_UPS, ...V1_LOOK_UPS])(
  '%s answers a foreign %s in the time that an unknown one takes',
  async (name, kind) => {
    const ask = askerOf(name);
    const { foreign, unknown } = victim.ids.find((one) => one.kind === kind)!;
    const costs: Record<string, number[]> = { [foreign]: [], [unknown]: [] };
    const ratio = (): number => median(costs[foreign]!) / median(costs[unknown]!);
    const isApart = (): boolean => ratio() > MOST_APART || ratio() < 1 / MOST_APART;
    let round = 0;
    // What is apart by chance comes together with more rounds; what an id costs does not.
    while (round < ROUNDS || (round < 4 * ROUNDS && isApart())) {
      // In turns, so that whatever else goes on meets both alike.
      for (const id of round % 2 === 0 ? [foreign, unknown] : [unknown, foreign]) {
        const before = process.cpuUsage();
        await ask(id);
        const { user, system } = process.cpuUsage(before);
        costs[id]!.push(user + system);
      }
      round += 1;
    }
    suite.tell(
      `Timing: ${name}, ${kind}: foreign by unknown ${ratio().toFixed(3)} (median of ${round}).`,
    );
    expect({ ratio: ratio(), isApart: isApart() }).toMatchObject({ isApart: false });
  },
);
