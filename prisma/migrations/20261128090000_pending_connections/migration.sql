CREATE TYPE "connection_status" AS ENUM ('started', 'choose', 'connected', 'failed');

-- Connections of accounts by consent, from their start until the accounts are connected.
CREATE TABLE "pending_connection" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "key_id" TEXT,
    "api" TEXT NOT NULL,
    "network" "network" NOT NULL,
    "way" TEXT NOT NULL,
    "server" TEXT,
    "account_id" TEXT,
    "return_url" TEXT,
    "redirect_uri" TEXT NOT NULL,
    "state_hash" BYTEA NOT NULL,
    "returned_at" TIMESTAMPTZ(3),
    "status" "connection_status" NOT NULL DEFAULT 'started',
    "sealed" BYTEA,
    "choices" JSONB NOT NULL DEFAULT '[]',
    "account_ids" TEXT[] NOT NULL DEFAULT '{}',
    "error" JSONB,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "pending_connection_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "pending_connection_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "pending_connection_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "pending_connection_state_hash_key" ON "pending_connection"("state_hash");
CREATE INDEX "pending_connection_workspace_id_expires_at_idx" ON "pending_connection"("workspace_id", "expires_at");
CREATE INDEX "pending_connection_expires_at_idx" ON "pending_connection"("expires_at");

-- The gateway as a client of servers at which it registered itself.
CREATE TABLE "server_client" (
    "id" TEXT NOT NULL,
    "network" "network" NOT NULL,
    "server" TEXT NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "server_client_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "server_client_network_server_redirect_uri_key" ON "server_client"("network", "server", "redirect_uri");
