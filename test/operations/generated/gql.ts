/* eslint-disable */
import * as types from './graphql.js';



/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "query OnePost($id: ID!) {\n  node(id: $id) {\n    id\n    ... on Post {\n      text\n      version\n    }\n  }\n}": typeof types.OnePostDocument,
    "query PagePosts($filter: PostFilter, $orderBy: PostOrder, $first: Int, $after: String) {\n  posts(filter: $filter, orderBy: $orderBy, first: $first, after: $after) {\n    totalCount\n    edges {\n      cursor\n      node {\n        id\n        text\n        version\n      }\n    }\n    pageInfo {\n      hasNextPage\n      hasPreviousPage\n      startCursor\n      endCursor\n    }\n  }\n}": typeof types.PagePostsDocument,
    "query PostSponsorAndPlace($id: ID!) {\n  post(id: $id) {\n    id\n    location {\n      id\n      name\n    }\n    details {\n      sponsor {\n        id\n        name\n        boost\n      }\n    }\n  }\n}": typeof types.PostSponsorAndPlaceDocument,
};
const documents: Documents = {
    "query OnePost($id: ID!) {\n  node(id: $id) {\n    id\n    ... on Post {\n      text\n      version\n    }\n  }\n}": types.OnePostDocument,
    "query PagePosts($filter: PostFilter, $orderBy: PostOrder, $first: Int, $after: String) {\n  posts(filter: $filter, orderBy: $orderBy, first: $first, after: $after) {\n    totalCount\n    edges {\n      cursor\n      node {\n        id\n        text\n        version\n      }\n    }\n    pageInfo {\n      hasNextPage\n      hasPreviousPage\n      startCursor\n      endCursor\n    }\n  }\n}": types.PagePostsDocument,
    "query PostSponsorAndPlace($id: ID!) {\n  post(id: $id) {\n    id\n    location {\n      id\n      name\n    }\n    details {\n      sponsor {\n        id\n        name\n        boost\n      }\n    }\n  }\n}": types.PostSponsorAndPlaceDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query OnePost($id: ID!) {\n  node(id: $id) {\n    id\n    ... on Post {\n      text\n      version\n    }\n  }\n}"): typeof import('./graphql.js').OnePostDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query PagePosts($filter: PostFilter, $orderBy: PostOrder, $first: Int, $after: String) {\n  posts(filter: $filter, orderBy: $orderBy, first: $first, after: $after) {\n    totalCount\n    edges {\n      cursor\n      node {\n        id\n        text\n        version\n      }\n    }\n    pageInfo {\n      hasNextPage\n      hasPreviousPage\n      startCursor\n      endCursor\n    }\n  }\n}"): typeof import('./graphql.js').PagePostsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query PostSponsorAndPlace($id: ID!) {\n  post(id: $id) {\n    id\n    location {\n      id\n      name\n    }\n    details {\n      sponsor {\n        id\n        name\n        boost\n      }\n    }\n  }\n}"): typeof import('./graphql.js').PostSponsorAndPlaceDocument;


export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}
