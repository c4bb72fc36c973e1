/** Removes inline media from the request of an accepted job. */
import { omitUndefined } from "../../../values/ownFields.ts"
import type { VideoRequest } from "./VideoRequest.ts"

/**
 * A job is read and written with every poll, so megabytes of media would be too. The start of a `data:` URL, with
 * its media type, is kept; other URLs are unchanged.
 */
export const stripInlineMedia = (request: VideoRequest): VideoRequest => {
  return {
    ...request,
    ...omitUndefined({
      frame_images: request.frame_images?.map((frame) => ({
        ...frame,
        image_url: truncateDataUrl(frame.image_url)
      })),
      input_references: request.input_references?.map(stripReference)
    })
  }
}

type Reference = NonNullable<VideoRequest["input_references"]>[number]

const stripReference = (reference: Reference): Reference => {
  switch (reference.type) {
    case "image_url":
      return { ...reference, image_url: truncateDataUrl(reference.image_url) }
    case "audio_url":
      return { ...reference, audio_url: truncateDataUrl(reference.audio_url) }
    case "video_url":
      return { ...reference, video_url: truncateDataUrl(reference.video_url) }
  }
}

/** Characters of a `data:` URL that are kept. */
const maxDataUrlChars = 100

const truncateDataUrl = ({ url }: { readonly url: string }) => ({
  url:
    url.length > maxDataUrlChars && /^data:/i.test(url)
      ? `${url.slice(0, maxDataUrlChars)}...`
      : url
})
