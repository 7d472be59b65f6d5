-- The browser in which a connection was started on a page of the gateway: only there it is completed.
ALTER TABLE "pending_connection" ADD COLUMN "browser_hash" BYTEA;
