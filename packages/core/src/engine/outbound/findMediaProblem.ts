/** Finds the first address in a request that must not be passed to a provider, which would fetch it. */
import * as Predicate from "effect/Predicate"
import { hasAtMostCharacters } from "../../values/validation/text.ts"
import { isPrivateHostname, isPublicAddress, parseIpAddress } from "./publicAddress.ts"

/**
 * The problem with a URL; undefined: none. The provider that fetches it checks the addresses to which its name
 * resolves. With `allowPrivateNetworks` any address is allowed.
 */
export const findMediaUrlProblem = (
  text: string,
  { allowPrivateNetworks }: { readonly allowPrivateNetworks: boolean }
): string | undefined => {
  // A data URL may have megabytes and names no host.
  if (/^data:/i.test(text)) return undefined
  // Parsing a URL of megabytes would block the event loop.
  if (!hasAtMostCharacters(text, maxCharacters)) {
    return `must have at most ${maxCharacters} characters`
  }
  // Parsers disagree about the host: the parser of https://url.spec.whatwg.org/#url-parsing drops or replaces these
  // characters.
  if (/[\t\n\r]|^[^?#]*\\/.test(text.trim())) return "must have neither backslashes nor line breaks"
  if (!URL.canParse(text)) return addressRequired
  const { hostname, password, protocol, username } = new URL(text)
  if (protocol !== "https:" && protocol !== "http:") return addressRequired
  if (username !== "" || password !== "") return "must not carry a user or a password"
  if (allowPrivateNetworks) return undefined
  const address = parseIpAddress(hostname)
  if (address === undefined) {
    return isPrivateHostname(hostname) ? "must be at the name of a public host" : undefined
  }
  return isPublicAddress(address)
    ? undefined
    : "must not lead to a private, loopback or link-local address"
}

export const addressRequired = "must be an https, http or data address"

/** Servers take about 8,000 (RFC 9110, 4.1); signed addresses are the longest of those in use. */
const maxCharacters = 8192

/**
 * The problem; undefined: there is none. `isBytes`: no API has a file name in this field, so any file may begin with a
 * slash. Text with characters outside of base64 is an address.
 */
export const findFileProblem = (
  text: string,
  settings: Parameters<typeof findMediaUrlProblem>[1],
  isBytes = false
): string | undefined => {
  if (isBase64(text, isBytes)) return undefined
  const problem = findMediaUrlProblem(text, settings)
  return problem === addressRequired ? "must be base64, or an https, http or data address" : problem
}

/** No address is longer, so that the rest of a file need not be read. */
const maxRead = 8192

const isBase64 = (text: string, isBytes: boolean): boolean => {
  const start = text.length > maxRead ? text.slice(0, maxRead) : text
  // Both alphabets of RFC 4648; MIME breaks lines.
  if (!/^[A-Za-z0-9+/_\-\s]*(?:=\s*){0,2}$/.test(start)) return false
  return !/^\s*\//.test(text) || isSlashFirst(text, start, isBytes)
}

/**
 * Paths and addresses without a scheme begin with a slash, and so do files whose first byte is 0xFC or more: JPEG, MP3, AAC,
 * and text in UTF-16 (https://en.wikipedia.org/wiki/List_of_file_signatures). Such a file is padded, unless it is a JPEG, and
 * no name of a host. Sound without a header begins with anything, and is longer than any path.
 */
const isSlashFirst = (text: string, start: string, isBytes: boolean): boolean => {
  if (/^\s*\/9j\//.test(start)) return true
  const isFile =
    start.length > maxPath ||
    /^\s*(?:\/\/[4-7E-Jk-vM-P]|\/v8)/.test(start) ||
    (isBytes && /^\s*\/[^/].*=\s*$/s.test(text))
  return (
    isFile &&
    !/^\s*\/\/localhost\b/i.test(start) &&
    (text.length > maxRead || text.replaceAll(/\s/g, "").length % 4 === 0)
  )
}

/** `PATH_MAX` of Linux, https://man7.org/linux/man-pages/man7/path_resolution.7.html. */
const maxPath = 4096

/**
 * Whether parsers of URLs see a link: they skip leading blanks and control characters, drop tabs and line breaks
 * anywhere, and take backslashes for slashes (https://url.spec.whatwg.org/#url-parsing). Some trim Unicode blanks
 * first.
 */
const isLink = (text: string): boolean =>
  /^(?:(?:[a-z][a-z0-9+.-]*:)?[/\\]{2}|(?:file|ftp|https?):)/i.test(
    text.slice(0, maxStart).replaceAll(/^[\0-\u0020\s]+|[\t\n\r]/g, "")
  )

/** No scheme is longer. */
const maxStart = 256

interface MediaProblem {
  /** The path of the address in the searched value. */
  readonly path: ReadonlyArray<string | number>
  readonly problem: string
}

type AddressSettings = Parameters<typeof findMediaUrlProblem>[1]

/** Media and servers. An object in one of these fields, or of this type, holds the address as its `url`. */
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
  "source",
  "mcp_servers"
])

/** Fields that hold an address anywhere. `server_url` is a tool server of OpenAI's Responses API. */
const addressKeys: ReadonlySet<string> = new Set([
  "image_url",
  "audio_url",
  "video_url",
  "file_url",
  "document_url",
  "server_url"
])

/** Fields that hold base64, or an address where a provider accepts one. */
const fileKeys: ReadonlySet<string> = new Set([
  "file_data",
  "image",
  "images",
  "input_image",
  "input_images",
  "mask",
  "audio",
  "video",
  "reference_images"
])

/**
 * Every text in these fields may be an address: providers do not agree on the names. `options` is a field of one
 * provider.
 */
const mediaSettings: ReadonlySet<string> = new Set([
  "image",
  "images",
  "image_config",
  "mask",
  "options"
])

/**
 * Fields that no provider fetches: JSON Schemas, the arguments of calls, notes of the caller, and quotations of search
 * results. An address there is data for the model. `current_url` is the page on a screenshot.
 */
const dataKeys: ReadonlySet<string> = new Set([
  "arguments",
  "attributes",
  "citations",
  "current_url",
  "function",
  "functions",
  "guided_json",
  "headers",
  "input_examples",
  "input_schema",
  "json_schema",
  "logprobs",
  "metadata",
  "output_schema",
  "reasoning_details",
  "responseSchema",
  "response_schema",
  "schema",
  "search_results",
  "trace",
  "url_citation"
])

/**
 * Searches the JSON that goes to a provider, in any API's form: messages, items, tools, servers and parameters. Fields
 * that are known to hold media or servers must hold an address of a public host. Any other field whose name ends like
 * that of an address may hold other values, but no other address.
 */
export const findMediaProblem = (
  value: unknown,
  settings: AddressSettings,
  key = "",
  parent = ""
): MediaProblem | undefined => {
  const at = { key, holder: parent, type: "", isMedia: mediaSettings.has(key) }
  const found = search(value, settings, at)
  return found === undefined ? undefined : { path: found.path.toReversed(), problem: found.problem }
}

/** The position of a value. */
interface Position {
  readonly key: string
  /** The container that it is in, or the type of its object, or the field of that. */
  readonly holder: string
  /** The type of its object. */
  readonly type: string
  readonly isMedia: boolean
}

interface Found {
  /** From the inside out, because a path that grows at its front would make deep values expensive. */
  readonly path: Array<string | number>
  readonly problem: string
}

const search = (value: unknown, settings: AddressSettings, at: Position): Found | undefined => {
  if (typeof value === "string") {
    const problem = findTextProblem(value, settings, at)
    return problem === undefined ? undefined : { path: [], problem }
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const found = search(value[index], settings, at)
      if (found !== undefined) return addToPath(found, index)
    }
  } else if (Predicate.isObject(value)) return searchObject(value, settings, at)
  return undefined
}

const searchObject = (
  value: Readonly<Record<string, unknown>>,
  settings: AddressSettings,
  at: Position
): Found | undefined => {
  const type = typeof value["type"] === "string" ? value["type"] : ""
  const holder = type === "" || containers.has(at.key) ? at.key : type
  for (const key in value) {
    const inside = value[key]
    if (typeof inside === "string") {
      // Most texts are in fields that hold no address.
      if (!at.isMedia && !mayHoldAddress(key)) continue
    } else if (typeof inside !== "object" || inside === null || isData(key, type, at)) continue
    const isMedia = at.isMedia || mediaSettings.has(key) || addressLists.test(key)
    const found = search(inside, settings, { key, holder, type, isMedia })
    if (found !== undefined) return addToPath(found, key)
  }
  return undefined
}

const addToPath = (found: Found, segment: string | number): Found => {
  found.path.push(segment)
  return found
}

/** `parameters` are a schema in a function, and settings of a tool that the provider runs. */
const isData = (key: string, type: string, at: Position): boolean =>
  dataKeys.has(key) ||
  // `sources` are search results, except in search parameters, where they are feeds to read:
  // https://docs.x.ai/docs/guides/live-search.
  (key === "sources" && at.key !== "search_parameters") ||
  (key === "parameters" && (type === "function" || type === "custom")) ||
  // At the top, `input` is always the whole of a request.
  (key === "input" && at.key !== "" && type.endsWith("tool_use")) ||
  (key === "action" && type.endsWith("_call"))

const mayHoldAddress = (key: string): boolean =>
  (fileKeys.has(key) || key === "data" || addressName.test(key)) && !dataKeys.has(key)

/**
 * Names such as `fileUri`, `start_image`, `last_frame`, `links` of a feed, and the `endpoint` of a data source
 * (https://learn.microsoft.com/azure/ai-foundry/openai/references/on-your-data).
 */
const addressName =
  /(?:ur[il]|(?:image|audio|video)(?:_?data)?|file|document|frame|mask|reference|source|src|href|link|endpoint|callback|webhook|base|path|proxy|host|server|address|site|feed)(?:e?s)?$/i

/** Objects of addresses by names of their own. */
const addressLists = /(?:ur[il]|link|endpoint)s$/i

const findTextProblem = (
  text: string,
  settings: AddressSettings,
  { holder, isMedia, key, type }: Position
): string | undefined => {
  if (addressKeys.has(key) || (key === "url" && containers.has(holder))) {
    return findMediaUrlProblem(text, settings)
  }
  // A document of Anthropic's API may be a plain text, and its hidden thoughts begin with anything.
  if (key === "data" && (type === "text" || type === "redacted_thinking")) return undefined
  if (key === "data" && containers.has(holder)) return findFileProblem(text, settings, true)
  if (fileKeys.has(key)) return findFileProblem(text, settings)
  if ((key === "url" || key === "source") && quotations.has(type)) return undefined
  const mayBeLink = isMedia || mayHoldAddress(key)
  return mayBeLink && isLink(text) && !isCloudObject(text)
    ? findFileProblem(text, settings)
    : undefined
}

/** Results of an earlier search or fetch of the provider. */
const quotations: ReadonlySet<string> = new Set([
  "search_result",
  "url_citation",
  "web_fetch_result",
  "web_search_result",
  "web_search_result_location"
])

/** An object in the storage of the provider's own cloud, such as `gs://` in `fileUri`: it names no host. */
const isCloudObject = (text: string): boolean => /^(?:gs|s3):\/\//.test(text)

const mediaTypes: ReadonlySet<unknown> = new Set([
  "image_url",
  "input_image",
  "input_audio",
  "audio_url",
  "video_url",
  "input_video",
  "file",
  "input_file"
])

/** Whether a part of a request is an image, audio, video or file instead of text. */
export const isMediaPart = (part: unknown): boolean =>
  Predicate.isObject(part) && mediaTypes.has(part["type"])
