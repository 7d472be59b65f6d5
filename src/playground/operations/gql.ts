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
    "query BestPosts($filter: PostFilter, $first: Int) {\n  posts(\n    first: $first\n    filter: $filter\n    orderBy: {field: ENGAGEMENT, direction: DESC}\n  ) {\n    totalCount\n    nodes {\n      id\n      text\n      network\n      analytics {\n        engagement\n        reach\n        likes\n        comments\n        shares\n        updatedAt\n      }\n      analyticsHistory(first: 5) {\n        engagement\n        updatedAt\n      }\n    }\n  }\n}": typeof types.BestPostsDocument,
    "mutation CreatePosts($input: CreatePostsInput!) {\n  createPosts(input: $input) {\n    results {\n      index\n      accountId\n      state\n      scheduledAt\n      message\n    }\n    posts {\n      id\n      network\n      text\n    }\n    userErrors {\n      code\n      field\n      message\n      rule\n    }\n  }\n}": typeof types.CreatePostsDocument,
    "mutation DeletePosts($input: DeletePostsInput!) {\n  deletePosts(input: $input) {\n    deletedIds\n    results {\n      id\n      deleted\n      code\n      message\n    }\n    userErrors {\n      code\n      message\n    }\n  }\n}": typeof types.DeletePostsDocument,
    "query FailedPosts($first: Int) {\n  posts(first: $first, filter: {states: [FAILED]}) {\n    nodes {\n      id\n      text\n      network\n      stateReason\n      publication {\n        status\n        attempts\n        error {\n          code\n          message\n          source\n          retryable\n        }\n      }\n      actions {\n        action\n        allowed\n        reason\n      }\n    }\n  }\n}": typeof types.FailedPostsDocument,
    "query JobStatus($id: ID!) {\n  jobStatus(id: $id) {\n    id\n    kind\n    status\n    progress\n    failures {\n      id\n      code\n      message\n    }\n    createdAt\n    finishedAt\n    post {\n      id\n      text\n      networkSync {\n        status\n        error\n      }\n    }\n  }\n}": typeof types.JobStatusDocument,
    "query ListPosts($filter: PostFilter, $first: Int, $after: String) {\n  posts(filter: $filter, first: $first, after: $after) {\n    totalCount\n    nodes {\n      id\n      text\n      state\n      type\n      network\n      scheduledAt\n      account {\n        id\n        name\n      }\n      labels {\n        name\n        color\n      }\n    }\n    facets {\n      states {\n        state\n        count\n      }\n      networks {\n        network\n        count\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n}": typeof types.ListPostsDocument,
    "subscription LiveEvents($types: [EventType!]) {\n  events(types: $types) {\n    type\n    at\n    postId\n    stateBefore\n    stateAfter\n    fields\n    user {\n      name\n    }\n    post {\n      state\n      text\n    }\n    cursor\n  }\n}": typeof types.LiveEventsDocument,
    "query PostRights($id: ID!) {\n  post(id: $id) {\n    id\n    version\n    text\n    state\n    network\n    editability {\n      field\n      allowed\n      reason\n      rule\n      maxLength\n      appliesTo\n    }\n    deletability {\n      allowed\n      code\n      reason\n    }\n    networkSync {\n      status\n      error\n      attemptedAt\n    }\n  }\n}": typeof types.PostRightsDocument,
    "mutation RetryPosts($input: RetryPostsInput!) {\n  retryPosts(input: $input) {\n    results {\n      id\n      done\n      code\n      message\n      post {\n        state\n        scheduledAt\n      }\n    }\n    job {\n      id\n      status\n    }\n  }\n}": typeof types.RetryPostsDocument,
    "mutation ReviewPosts($input: ReviewPostsInput!) {\n  reviewPosts(input: $input) {\n    results {\n      id\n      done\n      code\n      message\n      post {\n        text\n        state\n        stateReason\n      }\n    }\n  }\n}": typeof types.ReviewPostsDocument,
    "query RuleTables {\n  networks {\n    network\n    kind\n    editable {\n      field\n      maxLength\n      types\n      appliesTo\n    }\n    dailyCaps {\n      postKind\n      accountTypes\n      plan\n      limit\n    }\n    adapter {\n      edits\n      verified\n      note\n    }\n  }\n}": typeof types.RuleTablesDocument,
    "query PlaygroundStart($hasWorkspaces: Boolean!, $hasPosts: Boolean!) {\n  workspaces @include(if: $hasWorkspaces) {\n    id\n    name\n  }\n  published: posts(first: 100, filter: {states: [PUBLISHED_POSTED]}) @include(if: $hasPosts) {\n    nodes {\n      id\n      networkSync {\n        job {\n          id\n        }\n      }\n    }\n  }\n  scheduled: posts(\n    first: 50\n    filter: {states: [SCHEDULED]}\n    orderBy: {field: SCHEDULED_AT, direction: ASC}\n  ) @include(if: $hasPosts) {\n    nodes {\n      id\n      network\n      account {\n        id\n      }\n      deletability {\n        allowed\n      }\n    }\n  }\n  pending: posts(first: 10, filter: {states: [SCHEDULED_PENDING]}) @include(if: $hasPosts) {\n    nodes {\n      id\n      version\n    }\n  }\n  failed: posts(first: 10, filter: {states: [FAILED]}) @include(if: $hasPosts) {\n    nodes {\n      id\n    }\n  }\n}": typeof types.PlaygroundStartDocument,
    "mutation UpdatePost($input: UpdatePostInput!) {\n  updatePost(input: $input) {\n    post {\n      id\n      text\n      version\n      state\n      labels {\n        name\n        color\n      }\n      networkSync {\n        status\n      }\n    }\n    job {\n      id\n      status\n    }\n    userErrors {\n      code\n      message\n      field\n      rule\n    }\n  }\n}": typeof types.UpdatePostDocument,
    "query PlaygroundViewer {\n  viewer {\n    user {\n      name\n    }\n    role\n    workspace {\n      id\n      name\n    }\n    scopes\n  }\n}": typeof types.PlaygroundViewerDocument,
    "query Webhooks {\n  webhooks {\n    id\n    url\n    status\n    types\n    deliveries(first: 5) {\n      nodes {\n        eventType\n        status\n        attempts\n        lastAttemptAt\n        responseStatus\n        responseBody\n        nextAttemptAt\n      }\n    }\n  }\n}": typeof types.WebhooksDocument,
};
const documents: Documents = {
    "query BestPosts($filter: PostFilter, $first: Int) {\n  posts(\n    first: $first\n    filter: $filter\n    orderBy: {field: ENGAGEMENT, direction: DESC}\n  ) {\n    totalCount\n    nodes {\n      id\n      text\n      network\n      analytics {\n        engagement\n        reach\n        likes\n        comments\n        shares\n        updatedAt\n      }\n      analyticsHistory(first: 5) {\n        engagement\n        updatedAt\n      }\n    }\n  }\n}": types.BestPostsDocument,
    "mutation CreatePosts($input: CreatePostsInput!) {\n  createPosts(input: $input) {\n    results {\n      index\n      accountId\n      state\n      scheduledAt\n      message\n    }\n    posts {\n      id\n      network\n      text\n    }\n    userErrors {\n      code\n      field\n      message\n      rule\n    }\n  }\n}": types.CreatePostsDocument,
    "mutation DeletePosts($input: DeletePostsInput!) {\n  deletePosts(input: $input) {\n    deletedIds\n    results {\n      id\n      deleted\n      code\n      message\n    }\n    userErrors {\n      code\n      message\n    }\n  }\n}": types.DeletePostsDocument,
    "query FailedPosts($first: Int) {\n  posts(first: $first, filter: {states: [FAILED]}) {\n    nodes {\n      id\n      text\n      network\n      stateReason\n      publication {\n        status\n        attempts\n        error {\n          code\n          message\n          source\n          retryable\n        }\n      }\n      actions {\n        action\n        allowed\n        reason\n      }\n    }\n  }\n}": types.FailedPostsDocument,
    "query JobStatus($id: ID!) {\n  jobStatus(id: $id) {\n    id\n    kind\n    status\n    progress\n    failures {\n      id\n      code\n      message\n    }\n    createdAt\n    finishedAt\n    post {\n      id\n      text\n      networkSync {\n        status\n        error\n      }\n    }\n  }\n}": types.JobStatusDocument,
    "query ListPosts($filter: PostFilter, $first: Int, $after: String) {\n  posts(filter: $filter, first: $first, after: $after) {\n    totalCount\n    nodes {\n      id\n      text\n      state\n      type\n      network\n      scheduledAt\n      account {\n        id\n        name\n      }\n      labels {\n        name\n        color\n      }\n    }\n    facets {\n      states {\n        state\n        count\n      }\n      networks {\n        network\n        count\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n}": types.ListPostsDocument,
    "subscription LiveEvents($types: [EventType!]) {\n  events(types: $types) {\n    type\n    at\n    postId\n    stateBefore\n    stateAfter\n    fields\n    user {\n      name\n    }\n    post {\n      state\n      text\n    }\n    cursor\n  }\n}": types.LiveEventsDocument,
    "query PostRights($id: ID!) {\n  post(id: $id) {\n    id\n    version\n    text\n    state\n    network\n    editability {\n      field\n      allowed\n      reason\n      rule\n      maxLength\n      appliesTo\n    }\n    deletability {\n      allowed\n      code\n      reason\n    }\n    networkSync {\n      status\n      error\n      attemptedAt\n    }\n  }\n}": types.PostRightsDocument,
    "mutation RetryPosts($input: RetryPostsInput!) {\n  retryPosts(input: $input) {\n    results {\n      id\n      done\n      code\n      message\n      post {\n        state\n        scheduledAt\n      }\n    }\n    job {\n      id\n      status\n    }\n  }\n}": types.RetryPostsDocument,
    "mutation ReviewPosts($input: ReviewPostsInput!) {\n  reviewPosts(input: $input) {\n    results {\n      id\n      done\n      code\n      message\n      post {\n        text\n        state\n        stateReason\n      }\n    }\n  }\n}": types.ReviewPostsDocument,
    "query RuleTables {\n  networks {\n    network\n    kind\n    editable {\n      field\n      maxLength\n      types\n      appliesTo\n    }\n    dailyCaps {\n      postKind\n      accountTypes\n      plan\n      limit\n    }\n    adapter {\n      edits\n      verified\n      note\n    }\n  }\n}": types.RuleTablesDocument,
    "query PlaygroundStart($hasWorkspaces: Boolean!, $hasPosts: Boolean!) {\n  workspaces @include(if: $hasWorkspaces) {\n    id\n    name\n  }\n  published: posts(first: 100, filter: {states: [PUBLISHED_POSTED]}) @include(if: $hasPosts) {\n    nodes {\n      id\n      networkSync {\n        job {\n          id\n        }\n      }\n    }\n  }\n  scheduled: posts(\n    first: 50\n    filter: {states: [SCHEDULED]}\n    orderBy: {field: SCHEDULED_AT, direction: ASC}\n  ) @include(if: $hasPosts) {\n    nodes {\n      id\n      network\n      account {\n        id\n      }\n      deletability {\n        allowed\n      }\n    }\n  }\n  pending: posts(first: 10, filter: {states: [SCHEDULED_PENDING]}) @include(if: $hasPosts) {\n    nodes {\n      id\n      version\n    }\n  }\n  failed: posts(first: 10, filter: {states: [FAILED]}) @include(if: $hasPosts) {\n    nodes {\n      id\n    }\n  }\n}": types.PlaygroundStartDocument,
    "mutation UpdatePost($input: UpdatePostInput!) {\n  updatePost(input: $input) {\n    post {\n      id\n      text\n      version\n      state\n      labels {\n        name\n        color\n      }\n      networkSync {\n        status\n      }\n    }\n    job {\n      id\n      status\n    }\n    userErrors {\n      code\n      message\n      field\n      rule\n    }\n  }\n}": types.UpdatePostDocument,
    "query PlaygroundViewer {\n  viewer {\n    user {\n      name\n    }\n    role\n    workspace {\n      id\n      name\n    }\n    scopes\n  }\n}": types.PlaygroundViewerDocument,
    "query Webhooks {\n  webhooks {\n    id\n    url\n    status\n    types\n    deliveries(first: 5) {\n      nodes {\n        eventType\n        status\n        attempts\n        lastAttemptAt\n        responseStatus\n        responseBody\n        nextAttemptAt\n      }\n    }\n  }\n}": types.WebhooksDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query BestPosts($filter: PostFilter, $first: Int) {\n  posts(\n    first: $first\n    filter: $filter\n    orderBy: {field: ENGAGEMENT, direction: DESC}\n  ) {\n    totalCount\n    nodes {\n      id\n      text\n      network\n      analytics {\n        engagement\n        reach\n        likes\n        comments\n        shares\n        updatedAt\n      }\n      analyticsHistory(first: 5) {\n        engagement\n        updatedAt\n      }\n    }\n  }\n}"): typeof import('./graphql.js').BestPostsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation CreatePosts($input: CreatePostsInput!) {\n  createPosts(input: $input) {\n    results {\n      index\n      accountId\n      state\n      scheduledAt\n      message\n    }\n    posts {\n      id\n      network\n      text\n    }\n    userErrors {\n      code\n      field\n      message\n      rule\n    }\n  }\n}"): typeof import('./graphql.js').CreatePostsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation DeletePosts($input: DeletePostsInput!) {\n  deletePosts(input: $input) {\n    deletedIds\n    results {\n      id\n      deleted\n      code\n      message\n    }\n    userErrors {\n      code\n      message\n    }\n  }\n}"): typeof import('./graphql.js').DeletePostsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query FailedPosts($first: Int) {\n  posts(first: $first, filter: {states: [FAILED]}) {\n    nodes {\n      id\n      text\n      network\n      stateReason\n      publication {\n        status\n        attempts\n        error {\n          code\n          message\n          source\n          retryable\n        }\n      }\n      actions {\n        action\n        allowed\n        reason\n      }\n    }\n  }\n}"): typeof import('./graphql.js').FailedPostsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query JobStatus($id: ID!) {\n  jobStatus(id: $id) {\n    id\n    kind\n    status\n    progress\n    failures {\n      id\n      code\n      message\n    }\n    createdAt\n    finishedAt\n    post {\n      id\n      text\n      networkSync {\n        status\n        error\n      }\n    }\n  }\n}"): typeof import('./graphql.js').JobStatusDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query ListPosts($filter: PostFilter, $first: Int, $after: String) {\n  posts(filter: $filter, first: $first, after: $after) {\n    totalCount\n    nodes {\n      id\n      text\n      state\n      type\n      network\n      scheduledAt\n      account {\n        id\n        name\n      }\n      labels {\n        name\n        color\n      }\n    }\n    facets {\n      states {\n        state\n        count\n      }\n      networks {\n        network\n        count\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n}"): typeof import('./graphql.js').ListPostsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "subscription LiveEvents($types: [EventType!]) {\n  events(types: $types) {\n    type\n    at\n    postId\n    stateBefore\n    stateAfter\n    fields\n    user {\n      name\n    }\n    post {\n      state\n      text\n    }\n    cursor\n  }\n}"): typeof import('./graphql.js').LiveEventsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query PostRights($id: ID!) {\n  post(id: $id) {\n    id\n    version\n    text\n    state\n    network\n    editability {\n      field\n      allowed\n      reason\n      rule\n      maxLength\n      appliesTo\n    }\n    deletability {\n      allowed\n      code\n      reason\n    }\n    networkSync {\n      status\n      error\n      attemptedAt\n    }\n  }\n}"): typeof import('./graphql.js').PostRightsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation RetryPosts($input: RetryPostsInput!) {\n  retryPosts(input: $input) {\n    results {\n      id\n      done\n      code\n      message\n      post {\n        state\n        scheduledAt\n      }\n    }\n    job {\n      id\n      status\n    }\n  }\n}"): typeof import('./graphql.js').RetryPostsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation ReviewPosts($input: ReviewPostsInput!) {\n  reviewPosts(input: $input) {\n    results {\n      id\n      done\n      code\n      message\n      post {\n        text\n        state\n        stateReason\n      }\n    }\n  }\n}"): typeof import('./graphql.js').ReviewPostsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query RuleTables {\n  networks {\n    network\n    kind\n    editable {\n      field\n      maxLength\n      types\n      appliesTo\n    }\n    dailyCaps {\n      postKind\n      accountTypes\n      plan\n      limit\n    }\n    adapter {\n      edits\n      verified\n      note\n    }\n  }\n}"): typeof import('./graphql.js').RuleTablesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query PlaygroundStart($hasWorkspaces: Boolean!, $hasPosts: Boolean!) {\n  workspaces @include(if: $hasWorkspaces) {\n    id\n    name\n  }\n  published: posts(first: 100, filter: {states: [PUBLISHED_POSTED]}) @include(if: $hasPosts) {\n    nodes {\n      id\n      networkSync {\n        job {\n          id\n        }\n      }\n    }\n  }\n  scheduled: posts(\n    first: 50\n    filter: {states: [SCHEDULED]}\n    orderBy: {field: SCHEDULED_AT, direction: ASC}\n  ) @include(if: $hasPosts) {\n    nodes {\n      id\n      network\n      account {\n        id\n      }\n      deletability {\n        allowed\n      }\n    }\n  }\n  pending: posts(first: 10, filter: {states: [SCHEDULED_PENDING]}) @include(if: $hasPosts) {\n    nodes {\n      id\n      version\n    }\n  }\n  failed: posts(first: 10, filter: {states: [FAILED]}) @include(if: $hasPosts) {\n    nodes {\n      id\n    }\n  }\n}"): typeof import('./graphql.js').PlaygroundStartDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation UpdatePost($input: UpdatePostInput!) {\n  updatePost(input: $input) {\n    post {\n      id\n      text\n      version\n      state\n      labels {\n        name\n        color\n      }\n      networkSync {\n        status\n      }\n    }\n    job {\n      id\n      status\n    }\n    userErrors {\n      code\n      message\n      field\n      rule\n    }\n  }\n}"): typeof import('./graphql.js').UpdatePostDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query PlaygroundViewer {\n  viewer {\n    user {\n      name\n    }\n    role\n    workspace {\n      id\n      name\n    }\n    scopes\n  }\n}"): typeof import('./graphql.js').PlaygroundViewerDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query Webhooks {\n  webhooks {\n    id\n    url\n    status\n    types\n    deliveries(first: 5) {\n      nodes {\n        eventType\n        status\n        attempts\n        lastAttemptAt\n        responseStatus\n        responseBody\n        nextAttemptAt\n      }\n    }\n  }\n}"): typeof import('./graphql.js').WebhooksDocument;


export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}
