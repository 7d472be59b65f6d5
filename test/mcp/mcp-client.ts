import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { TestGateway } from '../fixtures/gateway.js';
import type { KeyedViewer } from '../fixtures/records.js';

// Answers are asserted, not typed.
type Json = any;

/** An answer of a tool: what it contains, or its error. */
export interface ToolReply {
  readonly isError: boolean;
  readonly answer: Json;
}

/** An agent: an official client, connected with the key of a member. */
export interface Agent<C extends OfficialClient = Client> {
  readonly client: C;
  /** Calls a tool. The text of the answer has to equal its structure. */
  call(name: string, args?: object): Promise<ToolReply>;
  close(): Promise<void>;
}

/** What the clients of both generations of the SDK have in common. */
interface OfficialClient {
  listTools(): Promise<Json>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<Json>;
  close(): Promise<void>;
}

/** An agent with a connected client. */
export async function agentWith<C extends OfficialClient>(client: C): Promise<Agent<C>> {
  await client.listTools(); // from now on the client checks answers against their schemas
  return {
    client,
    async call(name, args = {}) {
      const {
        content,
        structuredContent,
        isError = false,
      } = (await client.callTool({ name, arguments: args as Record<string, unknown> })) as Json;
      expect(JSON.parse(content[0].text)).toEqual(structuredContent);
      expect(content[0].text.length).toBeLessThanOrEqual(20_000);
      return { isError, answer: structuredContent };
    },
    close: () => client.close(),
  };
}

/** Where an agent connects to, and with which key. */
export const connectionOf = (
  { url }: Pick<TestGateway, 'url'>,
  apiKey: string,
): [url: URL, options: { requestInit: RequestInit }] => [
  new URL(`${url}/mcp`),
  { requestInit: { headers: { Authorization: `Bearer ${apiKey}` } } },
];

/** Generations of the protocol: negotiated, the older one, or only the newer one. */
const MODES = {
  auto: { versionNegotiation: { mode: 'auto' } },
  legacy: {},
  pinned: { versionNegotiation: { mode: { pin: '2026-07-28' } } },
} as const;

/** Connects an agent. With `onQuestion`, its client can ask a person, who answers so. */
export async function anAgent(
  gateway: TestGateway,
  {
    as = gateway.owner,
    mode = 'auto',
    apiKey = as.apiKey,
    onQuestion,
  }: {
    as?: KeyedViewer;
    mode?: keyof typeof MODES;
    apiKey?: string;
    onQuestion?: (question: string) => 'accept' | 'decline' | 'cancel';
  } = {},
): Promise<Agent> {
  const client = new Client(
    { name: 'test agent', version: '1' },
    { ...MODES[mode], ...(onQuestion && { capabilities: { elicitation: { form: {} } } }) },
  );
  if (onQuestion)
    client.setRequestHandler('elicitation/create', ({ params }) => {
      const action = onQuestion(params.message);
      return { action, ...(action === 'accept' && { content: {} }) };
    });
  await client.connect(new StreamableHTTPClientTransport(...connectionOf(gateway, apiKey)));
  return agentWith(client);
}
