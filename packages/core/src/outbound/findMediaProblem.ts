/** Finds the first URL of an image, audio, video or file that must not be passed to a provider. */
import * as Predicate from "effect/Predicate"
import { findMediaUrlProblem } from "./findMediaUrlProblem.ts"

export interface MediaProblem {
  /** The path of the URL in the searched value. */
  readonly path: ReadonlyArray<string | number>
  readonly problem: string
}

/** Media fields that providers fetch. An object in one of these, or of this type, holds the URL as its `url`. */
const containers: ReadonlySet<string> = new Set([
  "image",
  "audio",
  "video",
  "document",
  "image_url",
  "audio_url",
  "video_url",
  "input_image",
  "input_audio",
  "input_video",
  "file",
  "source"
])

/** Fields that hold a URL anywhere. */
const addressKeys: ReadonlySet<string> = new Set([
  "image_url",
  "audio_url",
  "video_url",
  "file_url"
])

/** Fields that usually hold base64, and a URL where a provider accepts one. */
const contentKeys: ReadonlySet<string> = new Set(["data", "file_data"])

/**
 * Searches JSON that goes to a provider, such as the messages of a chat, for media in every form that
 * providers accept. Base64 has no colon, so text that begins with a scheme is a URL.
 */
export const findMediaProblem = (
  value: unknown,
  settings: { readonly allowPrivateNetworks: boolean },
  key = "",
  parent = ""
): MediaProblem | undefined => {
  if (typeof value === "string") {
    const isAddress =
      addressKeys.has(key) ||
      (key === "url" && containers.has(parent)) ||
      (contentKeys.has(key) && hasScheme(value))
    const problem = isAddress ? findMediaUrlProblem(value, settings) : undefined
    return problem === undefined ? undefined : { path: [], problem }
  }
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const found = findMediaProblem(value[at], settings, key, parent)
      if (found !== undefined) return { ...found, path: [at, ...found.path] }
    }
  } else if (Predicate.isObject(value)) {
    const { type } = value
    const holder = !containers.has(key) && typeof type === "string" ? type : key
    for (const name of Object.keys(value)) {
      const found = findMediaProblem(value[name], settings, name, holder)
      if (found !== undefined) return { ...found, path: [name, ...found.path] }
    }
  }
  return undefined
}

/** URL parsers skip leading blanks and control characters. */
const hasScheme = (text: string): boolean => /^[\0- ]*[a-z][a-z0-9+.-]{0,30}:/i.test(text)
