-- What a video file says of itself. NULL: it does not say it.
ALTER TABLE "media_file"
  ADD COLUMN "duration_ms" INTEGER,
  ADD COLUMN "video_codec" TEXT,
  ADD COLUMN "audio_codec" TEXT,
  ADD COLUMN "frame_rate" DOUBLE PRECISION;
