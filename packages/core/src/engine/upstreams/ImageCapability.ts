/** The image capability of an upstream. */
import type * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Redacted from "effect/Redacted"
import type { NanoUsd } from "../../values/usage/NanoUsd.ts"
import type { TokenUsage } from "../../values/usage/TokenUsage.ts"
import type { ChangeListener } from "./ChangeListener.ts"
import type { UpstreamFailure } from "./failures/UpstreamFailure.ts"

/** One request for images at one endpoint of an upstream. Absent fields have the model's default. */
export interface ImageCall {
  /** The model's name at the upstream. */
  readonly model: string
  /** Not empty, from the untrusted caller. */
  readonly prompt: string
  /** How many images to make at most, 1 to 10. */
  readonly n: number
  /** `<width>x<height>` in pixels; takes precedence over `resolution` and `aspectRatio`. */
  readonly size?: string
  /** Such as `512`, `1K` or `4K`. */
  readonly resolution?: string
  /** Such as `16:9`. */
  readonly aspectRatio?: string
  /** Such as `low` or `high`. */
  readonly quality?: string
  /** Such as `transparent`. */
  readonly background?: string
  /** Such as `png` or `webp`. */
  readonly outputFormat?: string
  /** 0 to 100. */
  readonly outputCompression?: number
  readonly seed?: number
  /** Images to begin with: addresses of callers, `https:`, `http:` or `data:`; at most 16. */
  readonly references: ReadonlyArray<string>
  /** The address of an image whose transparent parts are to be replaced in the first reference. */
  readonly mask?: string
  /** Other parameters, unchanged from the caller: those that the endpoint supports, or all when it has no list. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** The most tokens of an answer, as the endpoint states; absent: unknown. */
  readonly maxOutputTokens?: number
  /** The customer's own credential; absent: the host's is used. */
  readonly credential?: Redacted.Redacted
  /** Receives what of the request the provider says that it ignored, before the answer is given. */
  readonly onChange?: ChangeListener
  /** How many previews of each image the caller wants, 0 to 3; absent: as many as the upstream sends by itself. */
  readonly previews?: number
  /** Receives what comes before the images. Absent: the caller wants nothing of it, and the upstream need not stream. */
  readonly onProgress?: (progress: ImageProgress) => void
}

/** What an upstream sends before the images. */
export type ImageProgress =
  | {
      readonly type: "preview"
      /** The place of the preview among those of its image, from 0. */
      readonly index: number
      readonly base64: string
    }
  | {
      readonly type: "text"
      /** Not empty. */
      readonly text: string
      readonly phase: "content" | "reasoning"
    }

/** One image, whole. */
export interface MadeImage {
  /** The bytes of its file, in base64 of RFC 4648, section 4. */
  readonly base64: string
  /** Such as `image/png`; absent: the core finds it in the bytes. */
  readonly mediaType?: string
}

/** The images, and the usage. */
export interface ImageReply {
  /** 1 to `n`; the core refuses none, more, and what is no base64. */
  readonly images: ReadonlyArray<MadeImage>
  /** Absent: not reported. Images and pixels are counted by the core. */
  readonly usage?: TokenUsage
  /** The cost that the upstream reports. */
  readonly cost?: NanoUsd
  /** The quality that was made where the caller left it open, for its price; absent: not reported. */
  readonly quality?: string
  /** The dated name of the model that answered; absent: not reported. */
  readonly model?: string
  /** The upstream's id of the answer, for its support. */
  readonly id?: string
}

/**
 * Makes images. Each call makes all of its images or fails, because a failed one costs nothing; retries and fallbacks belong to
 * the core. An interruption must abort the request. What the upstream cannot say is an `unsupported_parameter`, and nothing
 * is sent.
 */
export interface ImageCapability {
  readonly generate: (
    call: ImageCall
  ) => Effect.Effect<ImageReply, UpstreamFailure, HttpClient.HttpClient>
  /** Whether it reports previews or texts, at all or of a model by its name at the upstream. Absent: it does not. */
  readonly streams?: boolean | ((model: string) => boolean)
  /**
   * It uses the host's own credential only and ignores `credential` of a call, so customers' credentials are not
   * used. Absent: it uses `credential`.
   */
  readonly ignoresCredentials?: true
  /**
   * It rejects a call with an unsupported parameter instead of ignoring the parameter, so an endpoint without a list
   * of parameters satisfies `require_parameters`. Absent: it may ignore some.
   */
  readonly checksParameters?: true
  /** The maximum tokens of the call, of which the cost is reserved before it; `imageTokens` is what references have of them. */
  readonly estimateWorstCase: (call: ImageCall) => TokenUsage
}
