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
    "query ListPosts($filter: PostFilter, $first: Int, $after: String) {\n  posts(filter: $filter, first: $first, after: $after) {\n    totalCount\n    nodes {\n      id\n      text\n      state\n      type\n      network\n      scheduledAt\n      account {\n        id\n        name\n      }\n      labels {\n        name\n        color\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n}\n\nquery PostRights($id: ID!) {\n  post(id: $id) {\n    id\n    version\n    state\n    editability {\n      field\n      allowed\n      reason\n      rule\n      maxLength\n      appliesTo\n    }\n    deletability {\n      allowed\n      code\n      reason\n    }\n  }\n}\n\nmutation UpdatePost($input: UpdatePostInput!) {\n  updatePost(input: $input) {\n    post {\n      id\n      text\n      version\n      state\n      networkSync {\n        status\n      }\n    }\n    job {\n      id\n      status\n    }\n    userErrors {\n      code\n      message\n      field\n      rule\n    }\n  }\n}\n\nmutation DeletePosts($input: DeletePostsInput!) {\n  deletePosts(input: $input) {\n    deletedIds\n    results {\n      id\n      deleted\n      code\n      message\n    }\n    userErrors {\n      code\n      message\n    }\n  }\n}\n\nquery JobStatus($id: ID!) {\n  jobStatus(id: $id) {\n    id\n    kind\n    status\n    progress\n    failures {\n      id\n      code\n      message\n    }\n  }\n}": typeof types.ListPostsDocument,
};
const documents: Documents = {
    "query ListPosts($filter: PostFilter, $first: Int, $after: String) {\n  posts(filter: $filter, first: $first, after: $after) {\n    totalCount\n    nodes {\n      id\n      text\n      state\n      type\n      network\n      scheduledAt\n      account {\n        id\n        name\n      }\n      labels {\n        name\n        color\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n}\n\nquery PostRights($id: ID!) {\n  post(id: $id) {\n    id\n    version\n    state\n    editability {\n      field\n      allowed\n      reason\n      rule\n      maxLength\n      appliesTo\n    }\n    deletability {\n      allowed\n      code\n      reason\n    }\n  }\n}\n\nmutation UpdatePost($input: UpdatePostInput!) {\n  updatePost(input: $input) {\n    post {\n      id\n      text\n      version\n      state\n      networkSync {\n        status\n      }\n    }\n    job {\n      id\n      status\n    }\n    userErrors {\n      code\n      message\n      field\n      rule\n    }\n  }\n}\n\nmutation DeletePosts($input: DeletePostsInput!) {\n  deletePosts(input: $input) {\n    deletedIds\n    results {\n      id\n      deleted\n      code\n      message\n    }\n    userErrors {\n      code\n      message\n    }\n  }\n}\n\nquery JobStatus($id: ID!) {\n  jobStatus(id: $id) {\n    id\n    kind\n    status\n    progress\n    failures {\n      id\n      code\n      message\n    }\n  }\n}": types.ListPostsDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query ListPosts($filter: PostFilter, $first: Int, $after: String) {\n  posts(filter: $filter, first: $first, after: $after) {\n    totalCount\n    nodes {\n      id\n      text\n      state\n      type\n      network\n      scheduledAt\n      account {\n        id\n        name\n      }\n      labels {\n        name\n        color\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n}\n\nquery PostRights($id: ID!) {\n  post(id: $id) {\n    id\n    version\n    state\n    editability {\n      field\n      allowed\n      reason\n      rule\n      maxLength\n      appliesTo\n    }\n    deletability {\n      allowed\n      code\n      reason\n    }\n  }\n}\n\nmutation UpdatePost($input: UpdatePostInput!) {\n  updatePost(input: $input) {\n    post {\n      id\n      text\n      version\n      state\n      networkSync {\n        status\n      }\n    }\n    job {\n      id\n      status\n    }\n    userErrors {\n      code\n      message\n      field\n      rule\n    }\n  }\n}\n\nmutation DeletePosts($input: DeletePostsInput!) {\n  deletePosts(input: $input) {\n    deletedIds\n    results {\n      id\n      deleted\n      code\n      message\n    }\n    userErrors {\n      code\n      message\n    }\n  }\n}\n\nquery JobStatus($id: ID!) {\n  jobStatus(id: $id) {\n    id\n    kind\n    status\n    progress\n    failures {\n      id\n      code\n      message\n    }\n  }\n}"): typeof import('./graphql.js').ListPostsDocument;


export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}
