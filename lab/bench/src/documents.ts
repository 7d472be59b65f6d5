const LISTED =
  'id text state type network scheduledAt createdAt hasMedia account { id name type picture } user { id name picture } labels { id name color } media { id type url altText }';

/** Fields of a post that both schemas have under the same name. */
const OMITTED = ['createdAt', 'hasMedia', 'version', 'updatedAt', 'postLink', 'auto'];
/** Number of selections that `withSelection` returns. */
export const SELECTIONS = 2 ** OMITTED.length;
/** A document without some of the fields of a post: another selection for each number. */
export const withSelection = (document: string, selection: number): string =>
  OMITTED.filter((_, index) => (selection >> index) % 2 === 1).reduce(
    (text, field) => text.replace(new RegExp(`\\b${field}\\b`), ''),
    document,
  );

/** The operations in the schema of the gateway. */
export const CONTRACT_DOCUMENTS = {
  Typename: 'query Typename { __typename }',
  Posts: `query Posts($filter: PostFilter, $after: String) { posts(first: 25, filter: $filter, after: $after) { totalCount pageInfo { hasNextPage endCursor } nodes { ${LISTED} } } }`,
  PostsUncounted: `query PostsUncounted($filter: PostFilter, $after: String) { posts(first: 25, filter: $filter, after: $after) { pageInfo { hasNextPage endCursor } nodes { ${LISTED} } } }`,
  Post: `query Post($id: ID!) { post(id: $id) { ${LISTED} version title updatedAt postLink auto tags link { url title description imageUrl } } }`,
  Update:
    'mutation Update($input: UpdatePostInput!) { updatePost(input: $input) { post { id version text updatedAt } userErrors { code } } }',
  Create:
    'mutation Create($input: CreatePostsInput!) { createPosts(input: $input) { posts { id } userErrors { code } } }',
  Delete:
    'mutation Delete($input: DeletePostsInput!) { deletePosts(input: $input) { deletedIds userErrors { code } } }',
} as const;

const ROWS = `docId storedState type network scheduledAt createdAt hasMedia
  accountByWorkspaceIdAndAccountId { rowId name type picture } appUserByCreatorId { rowId name picture }
  postLabelsByPostId { nodes { labelByLabelId { rowId name color } } }
  postMediasByPostId(orderBy: PRIMARY_KEY_ASC) { nodes { altText mediaByMediaId { rowId type url } } }`;
const PAGE =
  'condition: $condition, first: 25, after: $after, orderBy: [SORT_AT_DESC, PRIMARY_KEY_DESC]';

/** The operations in the schema that PostGraphile derives from the tables. */
export const POSTGRAPHILE_DOCUMENTS = {
  Typename: 'query Typename { __typename }',
  Posts: `query Posts($condition: PostCondition!, $after: Cursor) { allPosts(${PAGE}) { totalCount pageInfo { hasNextPage endCursor } nodes { ${ROWS} postBodyByPostId { text } } } }`,
  PostsUncounted: `query PostsUncounted($condition: PostCondition!, $after: Cursor) { allPosts(${PAGE}) { pageInfo { hasNextPage endCursor } nodes { ${ROWS} postBodyByPostId { text } } } }`,
  Post: `query Post($condition: PostCondition!) { allPosts(condition: $condition, first: 1) { nodes { ${ROWS} version updatedAt postLink auto postBodyByPostId { text title tags url link } } } }`,
  Update:
    'mutation Update($input: UpdateTextInput!) { updateText(input: $input) { id version text updatedAt } }',
  Create: 'mutation Create($input: NewPostsInput!) { addPosts(input: $input) { createdIds } }',
  Delete:
    'mutation Delete($workspace: String!, $ids: [String!]!) { removePosts(workspace: $workspace, ids: $ids) { deletedIds } }',
} as const;
