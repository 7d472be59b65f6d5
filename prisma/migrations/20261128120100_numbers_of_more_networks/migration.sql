-- Posts that were published in the last year on networks whose numbers are read from now on: spread over a day, so that networks are not asked for all at once.
INSERT INTO "post_analytics_schedule" ("post_id", "account_id", "published_at", "due_at")
SELECT p."id", p."account_id", u."published_at", GREATEST(u."published_at" + interval '1 hour', now() + random() * interval '1 day')
  FROM "publication" u JOIN "post" p ON p."id" = u."post_id" JOIN "account" a ON a."id" = p."account_id"
 WHERE u."result" = 'published' AND u."published_at" > now() - interval '360 days' AND p."remote_id" IS NOT NULL AND p."deleted_at" IS NULL
   AND NOT a."sandbox" AND a."network" IN ('facebook', 'instagram', 'linkedin', 'pinterest', 'threads', 'twitter')
    ON CONFLICT DO NOTHING;
