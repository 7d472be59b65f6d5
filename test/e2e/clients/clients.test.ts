import type { DemoKeyName } from '../../../src/demo/demo-users.js';
import { startDemo, type StartedDemo } from '../started-demo.js';
import { apolloTests } from './apollo.js';
import { callerOf, type Caller } from './caller.js';
import { graphqlRequestTests } from './graphql-request.js';
import { guideTests } from './guide.js';
import { relayTests } from './relay.js';
import { urqlTests } from './urql.js';

/** One gateway for all clients, with several users: each has a limit of 100 requests. */
let gateway: StartedDemo;
const callers = new Map<DemoKeyName, Caller>();
beforeAll(async () => {
  gateway = await startDemo();
  for (const [name, apiKey] of Object.entries(gateway.demo.keys))
    callers.set(
      name as DemoKeyName,
      callerOf({ url: gateway.url, apiKey, workspaceId: gateway.demo.workspaceId }),
    );
});
afterAll(() => gateway.stop());

const as = (name: DemoKeyName) => (): Caller => callers.get(name)!;

describe('docs/clients.md', () => guideTests(() => gateway));
describe('Apollo Client', () => apolloTests(as('owner')));
describe('urql', () => urqlTests(as('admin')));
describe('Relay', () => relayTests(as('editorWithPostActions')));
describe('graphql-request', () => graphqlRequestTests(as('editorWithPostActions'), as('viewer')));
