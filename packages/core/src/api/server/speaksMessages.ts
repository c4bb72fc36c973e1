/** Recognizes requests of clients of Anthropic's API, who read neither other errors nor other lists of models. */
import type { IncomingRequest } from "./IncomingRequest.ts"

const messagesPath = /^\/api\/v1\/messages(?:[/?]|$)/
const modelsPath = /^\/api\/v1\/models(?:[/?]|$)/

/** Clients of other APIs list models too, but send no version of this one. */
export const speaksMessages = ({
  headers,
  url
}: Pick<IncomingRequest, "headers" | "url">): boolean =>
  messagesPath.test(url) || (headers[versionHeader] !== undefined && modelsPath.test(url))

const versionHeader = "anthropic-version"
