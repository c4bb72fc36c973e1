/** A request for a shell, so that it can be sent again. */
import type { Json } from "../route/request.ts"

const paths: Readonly<Record<string, string>> = {
  chat: "/api/v1/chat/completions",
  decisions: "/api/alpha/decisions",
  embeddings: "/api/v1/embeddings",
  images: "/api/v1/images",
  rerank: "/api/v1/rerank",
  videos: "/api/v1/videos"
}

/** `SIGNALBOX_URL` is where the host mounts the instance, which the console cannot know. */
export const toCurl = (operation: string, request: Json): string =>
  [
    `curl "$SIGNALBOX_URL${paths[operation] ?? ""}"`,
    `-H "Authorization: Bearer $SIGNALBOX_API_KEY"`,
    `-H "Content-Type: application/json"`,
    `-d ${quote(JSON.stringify(request))}`
  ].join(" \\\n  ")

/** A word that no shell expands. */
export const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
