/** Gives the file `signalbox.config.mts` its types. */
import type { Config } from "./Config.ts"

/**
 * The default export of `signalbox.config.mts`. Returns `config` as it is; the command line checks it.
 *
 * ```ts
 * import { defineConfig } from "@signalbox/cli"
 * import { openai } from "@signalbox/openai"
 *
 * export default defineConfig({
 *   upstreams: [openai({ apiKey: process.env.OPENAI_API_KEY })],
 *   models: [{ id: "openai/gpt-5-mini", endpoints: [{ provider: "openai" }] }],
 *   server: { port: 8080, console: true }
 * })
 * ```
 */
export const defineConfig = (config: Config): Config => config
