/** Names the fields of a request that have no effect: in a header, and in the error of a request that refuses to lose any. */
import { InvalidRequest } from "./RequestErrors.ts"

/** Proxies take about 8 KiB of headers altogether (https://nginx.org/r/large_client_header_buffers). */
const maxPaths = 32

const maxCharacters = 1_024

const maxPathCharacters = 100

/** Paths with commas between them, such as `plugins, tools.0.cache`, and how many more there are. */
export const encodeIgnored = (paths: ReadonlyArray<string>): string => {
  const distinct = [...new Set(paths)]
  const shown: Array<string> = []
  let characters = 0
  for (const path of distinct) {
    const text = encodePath(path)
    characters += text.length + 2
    if (shown.length === maxPaths || characters > maxCharacters) break
    shown.push(text)
  }
  const more = distinct.length - shown.length
  return more === 0 ? shown.join(", ") : [...shown, `+${more} more`].join(", ")
}

/** Names are the caller's: all but letters, digits and a few signs are percent-encoded, so that none can end the header. */
const encodePath = (path: string): string =>
  path.length > maxPathCharacters
    ? `${encodeURIComponent(path.slice(0, maxPathCharacters).toWellFormed())}...`
    : encodeURIComponent(path.toWellFormed())

/** Why a strict request is refused, with the names of all fields. */
export const describeIgnored = (paths: ReadonlyArray<string>): string =>
  `would have no effect, or another than they say: ${encodeIgnored(paths)}; leave them out, or send \`X-Signalbox-Strict: false\``

export const toIgnoredRequest = (paths: ReadonlyArray<string>): InvalidRequest =>
  new InvalidRequest({ path: [], problem: `fields of the request ${describeIgnored(paths)}` })
