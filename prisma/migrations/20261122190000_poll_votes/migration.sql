-- Votes of each option of an imported poll; null if the network does not report them.
ALTER TABLE "post_analytics" ADD COLUMN "poll_votes" INTEGER[];
