-- Addresses with which people connect accounts to a workspace without an API key.
CREATE TABLE "connect_link" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "key_id" TEXT,
    "networks" "network"[] NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    CONSTRAINT "connect_link_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "connect_link_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "connect_link_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "connect_link_token_hash_key" ON "connect_link"("token_hash");
CREATE INDEX "connect_link_workspace_id_expires_at_idx" ON "connect_link"("workspace_id", "expires_at");

ALTER TABLE "pending_connection" ADD COLUMN "link_id" TEXT;
ALTER TABLE "pending_connection" ADD CONSTRAINT "pending_connection_link_id_fkey" FOREIGN KEY ("link_id") REFERENCES "connect_link"("id") ON DELETE CASCADE ON UPDATE CASCADE;
