/** Adds the size of the stored files of a video job, to be summed by account. */
export const videoContent = (): ReadonlyArray<string> => [
  `ALTER TABLE video_jobs ADD COLUMN content_bytes bigint`,
  `CREATE INDEX video_jobs_by_content ON video_jobs (account, content_bytes) WHERE content_bytes > 0`
]
