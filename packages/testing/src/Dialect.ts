/** The APIs of providers, and their paths. */
export type Dialect =
  | "decisions"
  | "chat"
  | "messages"
  | "responses"
  | "gemini"
  | "embeddings"
  | "gemini_embeddings"
  | "rerank"
  | "speech"
  | "transcriptions"
  | "images"
  | "openai_images"
  | "imagen"
  | "videos"
  | "openai_videos"
  | "google_videos"

/** Undefined for a path of no API. */
export const findDialect = (method: string, path: string): Dialect | undefined => {
  const [bare = ""] = path.split("?", 1)
  return (
    (method === "POST" ? (dialects.get(bare) ?? findCloudDialect(bare)) : undefined) ??
    parseVideoRoute(method, bare)?.dialect
  )
}

const dialects: ReadonlyMap<string, Dialect> = new Map([
  ["/api/alpha/decisions", "decisions"],
  ["/api/v1/api/alpha/decisions", "decisions"],
  ["/api/v1/systemone", "decisions"],
  ["/v1/chat/completions", "chat"],
  ["/api/v1/chat/completions", "chat"],
  ["/v1/responses", "responses"],
  ["/openai/v1/responses", "responses"],
  ["/openai/v1/chat/completions", "chat"],
  ["/v1/embeddings", "embeddings"],
  ["/api/v1/embeddings", "embeddings"],
  ["/openai/v1/embeddings", "embeddings"],
  ["/v1/audio/speech", "speech"],
  ["/api/v1/audio/speech", "speech"],
  ["/v1/audio/transcriptions", "transcriptions"],
  ["/api/v1/audio/transcriptions", "transcriptions"],
  ["/v1/rerank", "rerank"],
  ["/v2/rerank", "rerank"],
  ["/voyage/v1/rerank", "rerank"],
  ["/api/v1/rerank", "rerank"],
  ["/api/v1/images", "images"],
  ["/v1/images/generations", "openai_images"],
  ["/v1/images/edits", "openai_images"],
  ["/v1/messages", "messages"],
  ["/anthropic/v1/messages", "messages"]
])

/**
 * The models of each publisher on Vertex AI have its own API, Claude `rawPredict` and no other:
 * https://platform.claude.com/docs/en/build-with-claude/claude-on-vertex-ai
 */
const findCloudDialect = (path: string): Dialect | undefined => {
  const [, publisher = "google"] = /\/publishers\/([^/]+)\//.exec(path) ?? []
  const [, word = ""] = /\/models\/[^/]+:(\w+)$/.exec(path) ?? []
  return cloudDialects.get(`${publisher} ${word}`)
}

const cloudDialects: ReadonlyMap<string, Dialect> = new Map([
  ["google generateContent", "gemini"],
  ["google streamGenerateContent", "gemini"],
  ["google predict", "imagen"],
  ["google embedContent", "gemini_embeddings"],
  ["google batchEmbedContents", "gemini_embeddings"],
  ["anthropic rawPredict", "messages"],
  ["anthropic streamRawPredict", "messages"]
])

/** The model that a path names instead of the body, as in `/v1/models/acme:predict`. */
export const findPathModel = (path: string): string | undefined => {
  const model = /\/models\/([^/:?]+):\w+(?:\?|$)/.exec(path)?.[1]
  return model === undefined ? undefined : decodeURIComponent(model)
}

export interface VideoRoute {
  readonly dialect: "videos" | "openai_videos" | "google_videos"
  readonly operation: "submit" | "remix" | "poll" | "content" | "remove"
  /** The job; empty for a submit, or where the body names it. */
  readonly id: string
}

export const parseVideoRoute = (method: string, path: string): VideoRoute | undefined => {
  const google = parseGoogleVideoRoute(method, path)
  if (google !== undefined) return google
  const [, api, id, below = ""] =
    /^(\/api)?\/v1\/videos(?:\/([^/]+)(?:\/(content|remix))?)?$/.exec(path) ?? []
  if (!/^(?:\/api)?\/v1\/videos(?:\/|$)/.test(path)) return undefined
  const dialect = api === undefined ? "openai_videos" : "videos"
  if (id === undefined) {
    return method === "POST" ? { dialect, operation: "submit", id: "" } : undefined
  }
  const operation = operations.get(`${dialect} ${method} ${below}`)
  return operation === undefined ? undefined : { dialect, operation, id: decodeURIComponent(id) }
}

const operations: ReadonlyMap<string, VideoRoute["operation"]> = new Map([
  ["videos GET ", "poll"],
  ["videos GET content", "content"],
  ["openai_videos GET ", "poll"],
  ["openai_videos GET content", "content"],
  ["openai_videos POST remix", "remix"],
  ["openai_videos DELETE ", "remove"]
])

/** Google Cloud Storage has the videos, in folders that are named after their operations. */
const parseGoogleVideoRoute = (method: string, path: string): VideoRoute | undefined => {
  const dialect = "google_videos"
  const [, object] = /^\/storage\/v1\/b\/[^/]+\/o\/([^/]+)$/.exec(path) ?? []
  if (object !== undefined && method === "GET") {
    const [, id = ""] = /(projects\/.+)\/sample_\d+\.mp4$/.exec(decodeURIComponent(object)) ?? []
    return { dialect, operation: "content", id }
  }
  const [, word] =
    /\/publishers\/google\/models\/[^/]+:(predictLongRunning|fetchPredictOperation)$/.exec(path) ??
    []
  if (word === undefined || method !== "POST") return undefined
  return { dialect, operation: word === "predictLongRunning" ? "submit" : "poll", id: "" }
}
