/** The request body for images. */
import type { Preferences } from "./Preferences.ts"
import type { Trace } from "./Trace.ts"

export type ImageReference = {
  readonly type: "image_url"
  readonly image_url: {
    readonly url: string
    readonly [field: string]: unknown
  }
}

/** A request for images. */
export interface ImageRequest {
  readonly model: string
  readonly prompt: string
  /** How many images to make at most, 1 to 10; default 1. */
  readonly n?: number | null
  /** `<width>x<height>` in pixels, or a resolution such as `2K`. */
  readonly size?: string | null
  /** Such as `512`, `1K`, `2K` or `4K`. */
  readonly resolution?: string | null
  /** Such as `16:9`. */
  readonly aspect_ratio?: string | null
  /** Such as `low`, `medium` or `high`. */
  readonly quality?: string | null
  /** `transparent` or `opaque`. */
  readonly background?: string | null
  /** `png`, `jpeg`, `webp` or `svg`. */
  readonly output_format?: string | null
  /** 0 to 100. */
  readonly output_compression?: number | null
  readonly seed?: number | null
  /** Images to begin with, at most 16, at `https:`, `http:` or `data:` addresses. */
  readonly input_references?: ReadonlyArray<ImageReference> | null
  /** The address of an image whose transparent parts are replaced in the first reference. */
  readonly mask?: string | null
  /** How many previews of each image `streamImages` has, 0 to 3, where the provider lets a caller choose. */
  readonly partial_images?: number | null
  /** Routing preferences; `options` are keyed by provider slug, and a provider receives only its own entry. */
  readonly provider?:
    | (Preferences & {
        readonly options?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
      })
    | null
  /** For records and spans, at most 256 characters; not sent to providers. */
  readonly session_id?: string | null
  readonly trace?: Trace | null
  /** The caller's own id of its end user, at most 256 characters; not sent to providers. */
  readonly user?: string | null
  /** Further parameters of the provider. */
  readonly extra?: Readonly<Record<string, unknown>>
}
