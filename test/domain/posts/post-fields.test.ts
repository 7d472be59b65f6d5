import { POST_FIELD_LIMITS } from '../../../src/domain/posts/post-fields.js';
import { LABEL } from '../../../src/domain/posts/post-settings.js';

it('the limits of fields equal the database’s constraints', () => {
  const { text, title, excerpt } = POST_FIELD_LIMITS;
  expect([text.maxLength, title.maxLength, excerpt.maxLength, LABEL.name.limit.maxLength]).toEqual([
    100_000, 2_000, 20_000, 100,
  ]);
});
