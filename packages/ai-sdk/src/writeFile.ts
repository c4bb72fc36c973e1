/** Writes media for the AI SDK, which knows only files with types. */
import type { LanguageModelV4FilePart } from "@ai-sdk/provider"
import {
  type AudioPart,
  type FilePart,
  guessMediaType,
  type ImagePart,
  UntranslatableRequest,
  type VideoPart
} from "@signalbox/core/dialects"
import * as Result from "effect/Result"

export interface FileOptions {
  /** The name under which the provider looks for its own ids, such as `openai`. */
  readonly providerName: string
  /** The URLs that the model reads, by types of media; empty: not said. */
  readonly supportedUrls: Readonly<Record<string, ReadonlyArray<RegExp>>>
}

/**
 * The AI SDK downloads what its models cannot read themselves. The router does not: a URL that the model does not list is
 * refused, unless the model lists none, whose provider refuses it if need be.
 */
export const writeFile = (
  part: AudioPart | FilePart | ImagePart | VideoPart,
  { providerName, supportedUrls }: FileOptions
): Result.Result<LanguageModelV4FilePart, UntranslatableRequest> => {
  const { source, type } = part
  const name =
    part.type === "file" && part.filename !== undefined ? { filename: part.filename } : undefined
  switch (source.type) {
    case "base64":
      return Result.succeed({
        type: "file",
        data: { type: "data", data: source.data },
        mediaType: source.mediaType,
        ...name
      })
    case "id":
      return Result.succeed({
        type: "file",
        data: { type: "reference", reference: Object.fromEntries([[providerName, source.id]]) },
        mediaType: type === "file" ? "application/pdf" : type,
        ...name
      })
    case "url": {
      if (!URL.canParse(source.url)) return fail(`hold no valid URL of the ${type}`)
      const mediaType = source.mediaType ?? toMediaType(source.url, type)
      const url = new URL(source.url)
      return isSupported(source.url, mediaType, supportedUrls)
        ? Result.succeed({
            type: "file",
            data: {
              type: "url",
              url,
              ...(url.href === source.url ? undefined : { originalUrl: source.url })
            },
            mediaType,
            ...name
          })
        : fail(`hold the URL of a ${type}, which this model cannot read: send the data`)
    }
  }
}

/** The URL is not repeated: it may be long and hold a secret. */
const fail = (problem: string): Result.Result<never, UntranslatableRequest> =>
  Result.fail(new UntranslatableRequest({ path: ["messages"], problem }))

/** Providers take the kind alone where the URL does not tell the type. */
const toMediaType = (url: string, kind: "audio" | "file" | "image" | "video"): string => {
  if (kind === "file") return guessMediaType(url, kind)
  const { pathname } = new URL(url)
  return /\.[a-z0-9]{2,5}$/i.test(pathname) ? guessMediaType(pathname, kind) : kind
}

const isSupported = (
  url: string,
  mediaType: string,
  supportedUrls: FileOptions["supportedUrls"]
): boolean => {
  const entries = Object.entries(supportedUrls)
  if (entries.length === 0) return true
  const lower = url.toLowerCase()
  return entries.some(
    ([pattern, urls]) =>
      matchesType(mediaType, pattern) && urls.some((regExp) => lower.search(regExp) !== -1)
  )
}

/** A pattern is `*`, a whole type, or `image/*`. */
const matchesType = (mediaType: string, pattern: string): boolean => {
  if (pattern === "*" || pattern === "*/*" || pattern === mediaType) return true
  const kind = mediaType.split("/", 1)[0] ?? ""
  return pattern === `${kind}/*` || (mediaType === kind && pattern.startsWith(`${kind}/`))
}
