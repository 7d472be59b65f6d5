-- Private drafts of members who were removed before removal handed them over: the owner gets them, because nobody could see
-- them any more. 24 and 25 are the states of private drafts.
UPDATE "post" p SET "creator_id" = o."user_id"
  FROM "membership" o
 WHERE o."workspace_id" = p."workspace_id" AND o."role" = 'owner' AND p."stored_state" IN (24, 25)
   AND NOT EXISTS (SELECT FROM "membership" m WHERE m."workspace_id" = p."workspace_id" AND m."user_id" = p."creator_id");
