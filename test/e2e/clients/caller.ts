import { parse } from 'graphql';
import type { DocumentTypeDecoration, TypedDocumentNode } from '@graphql-typed-document-node/core';
import {
  UpdatePostDocument,
  type UpdatePostInput,
} from '../../../src/playground/operations/graphql.js';
import {
  PagePostsDocument,
  type PagePostsQuery,
  type PagePostsQueryVariables,
} from '../../operations/generated/graphql.js';

/** An operation as text, with the types of its variables and result. */
export type TypedText<Result, Variables> = DocumentTypeDecoration<Result, Variables> & {
  toString(): string;
};

/** A caller of a started gateway, and the requests sent. */
export interface Caller {
  readonly url: string;
  readonly headers: Record<string, string>;
  /** `fetch` for a client. Records method and operation of each request in `sent`. */
  readonly fetch: typeof fetch;
  readonly sent: string[];
  /** Executes an operation without a client library, to compare a client's cache with. */
  execute<Result, Variables>(
    document: TypedText<Result, Variables>,
    variables: Variables,
  ): Promise<Result>;
}

export function callerOf({
  url,
  apiKey,
  workspaceId,
}: {
  url: string;
  apiKey: string;
  workspaceId: string;
}): Caller {
  const headers = { Authorization: `Bearer-API ${apiKey}`, 'Service-Workspace-Id': workspaceId };
  const address = `${url}/graphql`;
  const sent: string[] = [];
  return {
    url: address,
    headers,
    sent,
    fetch(input, init) {
      const text =
        typeof init?.body === 'string'
          ? init.body
          : decodeURIComponent(String(input).replaceAll('+', ' '));
      sent.push(`${init?.method ?? 'GET'} ${/(?:query|mutation) (\w+)/.exec(text)?.[1]}`);
      return fetch(input, init);
    },
    async execute(document, variables) {
      const response = await fetch(address, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ query: document.toString(), variables }),
      });
      const { data, errors } = (await response.json()) as { data: any; errors?: unknown };
      expect(errors).toBeUndefined();
      return data;
    },
  };
}

/** Parses an operation for clients that take documents. */
export const documentOf = <Result, Variables>(
  text: TypedText<Result, Variables>,
): TypedDocumentNode<Result, Variables> => parse(text.toString());

export const idsOf = ({ posts }: PagePostsQuery): string[] =>
  posts.edges.map(({ node }) => String(node.id));

/** IDs of a list from a single response, to compare merged pages with. */
export const wholeList = async (
  caller: Caller,
  variables: PagePostsQueryVariables,
): Promise<string[]> => idsOf(await caller.execute(PagePostsDocument, variables));

/** Updates a post without the client library, so that its cache becomes stale. */
export async function updateBehind(caller: Caller, input: UpdatePostInput): Promise<void> {
  const { updatePost } = await caller.execute(UpdatePostDocument, { input });
  expect(updatePost.userErrors).toEqual([]);
}
