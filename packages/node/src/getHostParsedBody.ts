/** Finds the request body if a parser of the host has consumed the stream. */
import type { IncomingMessage } from "node:http"

/** Parsers of Express and Connect store the body in `req.body`. */
export const getHostParsedBody = (
  request: IncomingMessage & { readonly body?: unknown }
): { readonly value: unknown } | undefined =>
  request.readableDidRead && request.body !== undefined ? { value: request.body } : undefined
