/** The pictures of video jobs beside the rest of them, which is all that lists read. */
export const videoPictures = (): ReadonlyArray<string> => [
  `ALTER TABLE video_jobs ADD COLUMN pictures text`
]
