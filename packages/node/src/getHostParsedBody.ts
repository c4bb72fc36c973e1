/** The request body, when a parser of the host has consumed the stream before us. */
import type { IncomingMessage } from "node:http"

/** Express and Connect parsers leave what they read in `req.body`. */
export const getHostParsedBody = (
  request: IncomingMessage & { readonly body?: unknown }
): { readonly value: unknown } | undefined =>
  request.readableDidRead && request.body !== undefined ? { value: request.body } : undefined
