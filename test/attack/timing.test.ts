import { suite } from '../setup/suite.js';
import { GRAPHQL_INPUTS, REST_INPUTS } from './all-inputs.js';
import { openAuditedGateway } from './audited-gateway.js';
import { createForeignWorkspace, type ForeignWorkspace } from './foreign-workspace.js';
import { createOwnPosts } from './own-posts.js';
import { sendRestInput } from './send-rest-input.js';
import { forAllTests } from '../fixtures/lifecycle.js';

/**
 * Inputs with a kind of id. The CPU time of a response must not reveal whether an id exists;
 * foreign-ids-graphql.test.ts compares the numbers of statements.
 */
const GRAPHQL_LOOKUPS: readonly (readonly [input: string, kind: string])[] = [
  ['Query.node.id', 'post'],
  ['Query.node.id', 'account'],
  ['Query.node.id', 'media'],
  ['Query.node.id', 'notification'],
  ['Query.jobStatus.id', 'job'],
  ['Query.post.id', 'post by database ID'],
  ['Query.posts.filter.accountIds', 'account'],
  ['Mutation.updatePost.input.post.media.id', 'media'],
  ['Query.posts.after', 'cursor of posts'],
  ['Query.posts.filter.labelIds', 'label'],
  ['Query.posts.filter.memberId', 'user'],
];
const REST_LOOKUPS: typeof GRAPHQL_LOOKUPS = [
  ['GET /v1/posts/{id}: path id', 'post by database ID'],
  ['GET /v1/job_status/{job_id}: path job_id', 'job'],
  ['GET /v1/posts: header Service-Workspace-Id', 'workspace'],
  ['PUT /v1/posts/{id}: body post.media.id', 'media'],
];
const ROUNDS = suite.length === 'short' ? 40 : 200;
/** On a shared machine the medians for one and the same id differ by as much. */
const MAX_RATIO = 1.3;
let foreignWorkspace: ForeignWorkspace;
const gateway = forAllTests(() => openAuditedGateway(), 'close');
beforeAll(async () => {
  await createOwnPosts(gateway, gateway.owner);
  foreignWorkspace = await createForeignWorkspace(gateway, await gateway.records.aViewer());
});
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Sends an id in the input with this name, over its API. */
function senderFor(inputName: string): (id: string) => Promise<unknown> {
  const graphqlInput = GRAPHQL_INPUTS.find(({ name }) => name === inputName);
  if (graphqlInput)
    return (id) => gateway.graphql(graphqlInput.query, { value: graphqlInput.toVariable(id) });
  const input = REST_INPUTS.find(({ name }) => name === inputName)!;
  return (value) => sendRestInput(gateway, { input, value });
}

it.each([...GRAPHQL_LOOKUPS, ...REST_LOOKUPS])(
  '%s takes the same CPU time for a foreign %s as for an unknown one',
  async (name, kind) => {
    const send = senderFor(name);
    const { foreign, unknown } = foreignWorkspace.ids.find((id) => id.kind === kind)!;
    const cpuTimes: Record<string, number[]> = { [foreign]: [], [unknown]: [] };
    const ratio = (): number => median(cpuTimes[foreign]!) / median(cpuTimes[unknown]!);
    const isDifferent = (): boolean => ratio() > MAX_RATIO || ratio() < 1 / MAX_RATIO;
    let round = 0;
    // More rounds remove a random difference, but not a systematic one.
    while (round < ROUNDS || (round < 4 * ROUNDS && isDifferent())) {
      // Alternates the order, so that other load on the machine affects both ids equally.
      for (const id of round % 2 === 0 ? [foreign, unknown] : [unknown, foreign]) {
        const before = process.cpuUsage();
        await send(id);
        const { user, system } = process.cpuUsage(before);
        cpuTimes[id]!.push(user + system);
      }
      round += 1;
    }
    suite.report(
      `Timing: ${name}, ${kind}: ratio foreign / unknown ${ratio().toFixed(3)} (medians of ${round}).`,
    );
    expect({ ratio: ratio(), isDifferent: isDifferent() }).toMatchObject({ isDifferent: false });
  },
);
