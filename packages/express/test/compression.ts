/** The middleware that most applications on Express compress with; it has no types of its own. */
import { createRequire } from "node:module"
import type { RequestHandler } from "express"

type MakeCompression = (options: { readonly threshold: number }) => RequestHandler

const require = createRequire(import.meta.url)

/** Compresses responses of any size. */
export const makeCompression = (): RequestHandler =>
  (require("compression") as MakeCompression)({ threshold: 0 })
