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

/** An operation as text, typed by what it takes and gives. */
export type TypedText<Result, Variables> = DocumentTypeDecoration<Result, Variables> & {
  toString(): string;
};

/** Who asks a started gateway, and what has gone over the wire. */
export interface Caller {
  readonly url: string;
  readonly headers: Record<string, string>;
  /** `fetch`, for a client to be given: keeps the method of each request and its operation in `sent`. */
  readonly fetch: typeof fetch;
  readonly sent: string[];
  /** Asks without any client: the truth to hold a client's cache to. */
  ask<Result, Variables>(
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
    async ask(document, variables) {
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

/** The operation for clients that take documents, still typed. */
export const documentOf = <Result, Variables>(
  text: TypedText<Result, Variables>,
): TypedDocumentNode<Result, Variables> => parse(text.toString());

export const idsOf = ({ posts }: PagePostsQuery): string[] =>
  posts.edges.map(({ node }) => String(node.id));

/** The ids of a list as one answer gives them: what pages have to make together. */
export const wholeList = async (
  caller: Caller,
  variables: PagePostsQueryVariables,
): Promise<string[]> => idsOf(await caller.ask(PagePostsDocument, variables));

/** An update by somebody else, which no client's cache knows of. */
export async function updateBehind(caller: Caller, input: UpdatePostInput): Promise<void> {
  const { updatePost } = await caller.ask(UpdatePostDocument, { input });
  expect(updatePost.userErrors).toEqual([]);
}
