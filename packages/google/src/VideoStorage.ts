/** The folder in Google Cloud Storage that videos are written to. */

/** A folder of a bucket. */
export interface VideoStorage {
  /** The folder as in requests, such as `gs://my-bucket/videos`; without a slash at the end. */
  readonly folder: string
  readonly bucket: string
}

/** Undefined for text that is no address of a folder. */
export const parseVideoStorage = (text: string): VideoStorage | undefined => {
  const folder = text.replace(/\/+$/, "")
  const bucket = /^gs:\/\/([a-z0-9][a-z0-9._-]{1,220}[a-z0-9])(?:\/[\x20-\x7e]{1,500})?$/.exec(
    folder
  )?.[1]
  return bucket === undefined ? undefined : { folder, bucket }
}

/** The name of an untrusted object; undefined if it is not in the folder. */
export const findObjectName = (
  { bucket, folder }: VideoStorage,
  object: string | undefined
): string | undefined => {
  if (object?.startsWith(`${folder}/`) !== true) return undefined
  const name = object.slice(`gs://${bucket}/`.length)
  // The others would escape from the path of a URL.
  return /^(?!\.{1,2}$)[\x20-\x7e]{1,1024}$/.test(name) ? name : undefined
}
