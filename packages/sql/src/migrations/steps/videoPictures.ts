/** Adds a column for the inline images of video jobs, which lists need not read. */
export const videoPictures = (): ReadonlyArray<string> => [
  `ALTER TABLE video_jobs ADD COLUMN pictures text`
]
