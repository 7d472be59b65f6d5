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

/** An agent: the official client, connected with the key of a member. */
export interface Agent {
  readonly client: Client;
  /** Calls a tool. The text of the answer has to equal its structure. */
  call(name: string, args?: object): Promise<ToolReply>;
  close(): Promise<void>;
}

/** Connects an agent. `mode` is the generation of the protocol. */
export async function anAgent(
  gateway: TestGateway,
  {
    as = gateway.owner,
    mode = 'auto',
    apiKey = as.apiKey,
  }: { as?: KeyedViewer; mode?: 'auto' | 'legacy'; apiKey?: string } = {},
): Promise<Agent> {
  const client = new Client(
    { name: 'test agent', version: '1' },
    mode === 'auto' ? { versionNegotiation: { mode } } : {},
  );
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${apiKey}` } },
    }),
  );
  await client.listTools(); // from now on the client checks answers against their schemas
  return {
    client,
    async call(name, args = {}) {
      const {
        content,
        structuredContent,
        isError = false,
      } = (await client.callTool({
        name,
        arguments: args as Record<string, unknown>,
      })) as Json;
      expect(JSON.parse(content[0].text)).toEqual(structuredContent);
      expect(content[0].text.length).toBeLessThanOrEqual(20_000);
      return { isError, answer: structuredContent };
    },
    close: () => client.close(),
  };
}
