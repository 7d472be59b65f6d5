CREATE TYPE "connect_method" AS ENUM ('oauth', 'credentials');

-- How an account is or was connected, without secrets. It stays when the credentials are deleted.
CREATE TABLE "account_connection" (
    "account_id" TEXT NOT NULL,
    "method" "connect_method" NOT NULL,
    "granted_scopes" TEXT[] NOT NULL DEFAULT '{}',
    "expires_at" TIMESTAMPTZ(3),
    "renews_itself" BOOLEAN NOT NULL DEFAULT false,
    "checked_at" TIMESTAMPTZ(3),
    "problem" TEXT,
    CONSTRAINT "account_connection_pkey" PRIMARY KEY ("account_id"),
    CONSTRAINT "account_connection_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- An account of a network is connected in one workspace at a time.
CREATE INDEX "account_network_social_id_idx" ON "account"("network", "social_id");

ALTER TABLE "api_key" DROP CONSTRAINT "api_key_scopes_valid";
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_scopes_valid" CHECK ("scopes" <@ ARRAY['workspaces', 'accounts', 'posts', 'posts:read', 'posts:write', 'media', 'webhooks', 'connections']);
